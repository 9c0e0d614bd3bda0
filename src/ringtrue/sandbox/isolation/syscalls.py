"""Numbers of system calls, as `name:x86_64:aarch64`; a dash where a processor has no such call."""

from __future__ import annotations

FREE = """
read:0:63 write:1:64 readv:19:65 writev:20:66 pread64:17:67 pwrite64:18:68 preadv:295:69 pwritev:296:70
preadv2:327:286 pwritev2:328:287 lseek:8:62 open:2:- openat:257:56 openat2:437:437 creat:85:- close:3:57
close_range:436:436 stat:4:- fstat:5:80 lstat:6:- newfstatat:262:79 statx:332:291 access:21:- faccessat:269:48
faccessat2:439:439 readlink:89:- readlinkat:267:78 getcwd:79:17 chdir:80:49 fchdir:81:50 mkdir:83:- mkdirat:258:34
rmdir:84:- unlink:87:- unlinkat:263:35 rename:82:- renameat:264:38 renameat2:316:276 link:86:- linkat:265:37
symlink:88:- symlinkat:266:36 truncate:76:45 ftruncate:77:46 fsync:74:82 fdatasync:75:83
getdents:78:- getdents64:217:61 umask:95:166 dup:32:23 dup2:33:- dup3:292:24 flock:73:32 statfs:137:43 fstatfs:138:44
fadvise64:221:223 sendfile:40:71 copy_file_range:326:285 pipe:22:- pipe2:293:59 poll:7:-
ppoll:271:73 select:23:- pselect6:270:72 epoll_create:213:- epoll_create1:291:20 epoll_ctl:233:21 epoll_wait:232:-
epoll_pwait:281:22 epoll_pwait2:441:441 eventfd:284:- eventfd2:290:19 timerfd_create:283:85 timerfd_settime:286:86
timerfd_gettime:287:87 signalfd:282:- signalfd4:289:74 munmap:11:215 mremap:25:216 mprotect:10:226
madvise:28:233 brk:12:214 mincore:27:232 msync:26:227 membarrier:324:283 exit:60:93 exit_group:231:94 getpid:39:172
gettid:186:178 getppid:110:173 getuid:102:174 geteuid:107:175 getgid:104:176 getegid:108:177 getresuid:118:148
getresgid:120:150 getgroups:115:158 getpgrp:111:- getpgid:121:155 getsid:124:156 set_robust_list:273:99
get_robust_list:274:100 rseq:334:293 arch_prctl:158:- set_tid_address:218:96 futex:202:98 futex_waitv:449:449
sched_yield:24:124 sched_getaffinity:204:123 sched_getparam:143:121 sched_getscheduler:145:120
sched_get_priority_max:146:125 sched_get_priority_min:147:126 getpriority:140:141 getrlimit:97:163 setrlimit:160:164
getrusage:98:165 times:100:153 clock_gettime:228:113 clock_getres:229:114 clock_nanosleep:230:115 nanosleep:35:101
gettimeofday:96:169 time:201:- getitimer:36:102 setitimer:38:103 alarm:37:- pause:34:- timer_create:222:107
timer_settime:223:110 timer_gettime:224:108 timer_getoverrun:225:109 timer_delete:226:111 rt_sigaction:13:134
rt_sigprocmask:14:135 rt_sigreturn:15:139 rt_sigpending:127:136 rt_sigtimedwait:128:137 rt_sigsuspend:130:133
sigaltstack:131:132 restart_syscall:219:128 uname:63:160 sysinfo:99:179 getrandom:318:278 getcpu:309:168 wait4:61:260
waitid:247:95 shutdown:48:210 getsockopt:55:209
setsockopt:54:208 getsockname:51:204 getpeername:52:205
"""
"""What any program may do: files it can reach, memory, time, threads' housekeeping, sockets it already holds."""

MODES = """
chmod:90:- fchmod:91:52 fchmodat:268:53 fchmodat2:452:452 utime:132:- utimes:235:- futimesat:261:- utimensat:280:88
"""
"""Changes of a file's mode and times: Landlock does not see them, a private root does."""

WEIGHED = """
fcntl:72:25 ioctl:16:29 prctl:157:167 kill:62:129 tgkill:234:131 prlimit64:302:261 clone:56:220 clone3:435:435
socketpair:53:199 socket:41:198 fallocate:285:47 sendto:44:206 recvfrom:45:207 mmap:9:222
"""
"""Calls that are allowed or not by their arguments."""

PRIVILEGED = """
ptrace:101:117 process_vm_readv:310:270 process_vm_writev:311:271 pidfd_getfd:438:438 kcmp:312:272 mount:165:40
umount2:166:39 pivot_root:155:41 chroot:161:51 move_mount:429:429 open_tree:428:428 fsopen:430:430 fsconfig:431:431
fsmount:432:432 fspick:433:433 mount_setattr:442:442 unshare:272:97 setns:308:268 bpf:321:280 perf_event_open:298:241
userfaultfd:323:282 add_key:248:217 request_key:249:218 keyctl:250:219 io_uring_setup:425:425 io_uring_enter:426:426
io_uring_register:427:427 kexec_load:246:104 kexec_file_load:320:294 init_module:175:105 finit_module:313:273
delete_module:176:106 reboot:169:142 swapon:167:224 swapoff:168:225 settimeofday:164:170 clock_settime:227:112
adjtimex:159:171 clock_adjtime:305:266 open_by_handle_at:304:265 name_to_handle_at:303:264 quotactl:179:60
quotactl_fd:443:443 acct:163:89 syslog:103:116 vhangup:153:58 sethostname:170:161 setdomainname:171:162 iopl:172:-
ioperm:173:- nfsservctl:180:42 lookup_dcookie:212:18 personality:135:92 process_madvise:440:440
process_mrelease:448:448 migrate_pages:256:238 move_pages:279:239 mbind:237:235 set_mempolicy:238:237
memfd_secret:447:447 fanotify_init:300:262 modify_ldt:154:- uselib:134:- ustat:136:- sysfs:139:- vmsplice:278:75
"""
"""What not even a shell may do: other processes' memory, mounts, namespaces, clocks, modules, kernel side doors."""

SERVING = """
setsid:112:157 pidfd_open:434:434 seccomp:317:277
"""
"""What a worker needs to start programs, and a program does not."""

PASSING = """
sendmsg:46:211 recvmsg:47:212
"""
"""How open files go from one process to another: a worker and an examiner that stays need it, a program does not."""

SHARING = """
memfd_create:319:279 shmget:29:194 shmat:30:196 shmctl:31:195 shmdt:67:197 msgget:68:186 semget:64:190
"""
"""Memory that no process has to map."""

_COLUMNS = {"x86_64": 1, "aarch64": 2}


def numbers(table: str, machine: str) -> dict[str, int]:
    """The calls of a table that a machine has, by name."""
    rows = [entry.split(":") for entry in table.split()]
    column = _COLUMNS[machine]
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


def is_known(machine: str) -> bool:
    """Whether there are numbers for this machine."""
    return machine in _COLUMNS
