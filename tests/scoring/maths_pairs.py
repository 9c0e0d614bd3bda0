"""Pairs of answers that are the same mathematics, and pairs that are not, one pair a line, by family."""

EQUAL = r"""
## repetitions
\{1\} ≡ \{1, 1\}
\{1, 1\} ≡ 1
\{1, 1\} ≡ 1, 1
\{2, 1, 1\} ≡ \{1, 2\}
{1} ≡ {1, 1}
{2, 1, 1} ≡ \{1, 2\}
\{\sqrt{2}, \sqrt{2}\} ≡ \sqrt{2}
\{\sqrt{2}, \sqrt{2}, 1\} ≡ 1, \sqrt{2}
\{(1,2), (1,2)\} ≡ (1,2)
(1, 1) ≡ 1, 1
1, 1 ≡ 1 and 1
1 ≡ 1 or 1
x = 1 ≡ x = 1 or x = 1
1 or 2 ≡ 1 or 2 or 2
1 ≡ 1 \pm 0
0 ≡ \pm 0
x > 1 ≡ x > 1 or x > 1
(1,2) ≡ (1,2) \cup (1,2)
1 ≡ So \boxed{1}, and hence \boxed{1}.
## integers
662 ≡ +662
662 ≡ 662.00
4114 ≡ 4114.
45308 ≡ 45{,}308
4114 ≡ 4,\!114
1000 ≡ 1\,000
1234567 ≡ 1 234 567
1000 ≡ 1,000
1200 ≡ \$1,200.00
713 ≡ 0713
0 ≡ -0
11,\! 111,\! 111,\! 100 ≡ 11111111100
7 ≡ seven
21 ≡ twenty-one
45 ≡ forty five
90 ≡ The answer is ninety.
7 ≡ 7th
## powers
3000 ≡ 3 \times 10^{3}
3000 ≡ 3e3
3000 ≡ 3 x 10^3
.0000672 ≡ 6.72e-5
1024 ≡ 2^10
1024 ≡ 2**10
\frac{1}{8} ≡ 2^{-3}
9 ≡ (-3)^2
-9 ≡ -3^2
2^{2n} ≡ 4^n
10^{10^{10}} ≡ 10^{10^{10}} + 0
## fractions
\frac{1}{2} ≡ .5
\frac{6}{5} ≡ \frac65
\frac{12}{7} ≡ (12)/(7)
-\frac{3}{4} ≡ -3 / 4
\frac{12}{7} ≡ 12 \div 7
-\frac{14}{3} ≡ \frac{14}{-3}
\frac{\frac{1}{2}}{3} ≡ \frac{1}{6}
\frac9{19} ≡ \frac{9}{19}
\frac 59 ≡ 5/9
\frac{2}{3} ≡ {2 \over 3}
1/2 ≡ ½
## mixed numbers
\frac{37}{20} ≡ 1\frac{17}{20}
\frac{37}{20} ≡ 1 17/20
-\frac{14}{3} ≡ -4\frac{2}{3}
3 \frac{3}{8} ≡ 27/8
1.5 ≡ 1½
-2.5 ≡ -2\frac12
## repeating decimals
0.\overline{3} ≡ 1/3
0.1\overline{6} ≡ 1/6
1/3 ≡ 0.333...
1 ≡ 0.999...
\frac{1}{3} ≡ 0.\bar{3}
\frac{5}{11} ≡ 0.454545\ldots
1/6 ≡ 0.1(6)
## percent
0.5 ≡ 50%
1/2 ≡ 50\%
75\% ≡ 75%
75\% ≡ 3/4
50% ≡ 50 percent
## rounding
1/3 ≡ 0.333
1/3 ≡ about 0.33
\pi ≡ 3.14
\frac{2}{3} ≡ 66.7%
\sqrt{2} ≡ x \approx 1.4
\frac{7\pi}{4} ≡ 5.50
16 \sqrt{3} ≡ 27.71
\frac{20000}{\pi} ≡ 6.37 \times 10^3
## radicals
\sqrt{6} + 14 ≡ (4+\sqrt{6})(5-\sqrt{6})
7\sqrt{6} ≡ \sqrt{294}
7\sqrt{6} ≡ 7*sqrt(6)
6\sqrt{3} ≡ 6√3
\frac{6}{\sqrt{7}} ≡ \frac{6\sqrt{7}}{7}
2^{\frac{1}{3}} ≡ \sqrt[3]{2}
5\sqrt{3} ≡ 5\cdot 3^{1/2}
\sqrt{x^2+2x+1} ≡ \sqrt{(x+1)^2}
|x| ≡ \sqrt{x^2}
-2 ≡ \sqrt[3]{-8}
11\sqrt2 ≡ 11 \sqrt 2
## polynomials
2 x^{2} - 4 x ≡ 2 x \left(x - 2\right)
- x^{2} - x + 20 ≡ - x^{2}+20- x
xy ≡ yx
16 x^{2} + 8 x y + y^{2} ≡ \left(4 x + y\right)^{2}
(a+5)(b+2) ≡ ab+2a+5b+10
x^{12} ≡ x¹²
## rational functions
\frac{x - 2}{x + 4} ≡ 1 - \frac{6}{x + 4}
x+1 ≡ \frac{x^2-1}{x-1}
\frac{1}{x} ≡ x^{-1}
## functions
\frac{1}{2} ≡ \sin\frac{\pi}{6}
\tan x ≡ \frac{\sin x}{\cos x}
\cos 58^\circ ≡ \sin 32^\circ
\sin x \cos x ≡ \frac{1}{2}\sin 2x
\sin^{-1}\frac12 ≡ \frac{\pi}{6}
3 ≡ \log_{2} 8
\ln 25 ≡ 2\ln 5
3 ≡ \ln(e^{3})
2 ≡ \log 100
\log_2 3 ≡ \frac{\ln 3}{\ln 2}
120 ≡ 5!
10 ≡ \binom{5}{2}
\frac{(n+1)!}{n!} ≡ n+1
3 ≡ \left\lfloor 3.7 \right\rfloor
|x-1| ≡ |1-x|
\arcsin x + \arccos x ≡ \frac{\pi}{2}
\gcd(12, 18) ≡ 6
## pi
\frac{\pi}{2} ≡ 1\pi/2
\frac{7\pi}{4} ≡ 7*pi/4
\frac{7\pi}{4} ≡ 1.75\pi
2\pi ≡ 2π
## complex
1+1i ≡ 1i+1
-5 + 12 i ≡ (2+3i)^2
-25 ≡ (0+5i)^2
i ≡ \sqrt{-1}
-1 ≡ e^{i\pi}
re^{i\theta} ≡ r(\cos\theta + i\sin\theta)
\operatorname{cis} 90^\circ ≡ i
## sets
\{14, -3, 7\} ≡ \{7,-3,14\}
4, 19, -1 ≡ 19, 4, -1
-2,1 ≡ \{1, -2\}
2 ≡ \{2\}
3, 5, 7 ≡ 3, 5 and 7
\{1\pm\sqrt{5},-2\} ≡ -2, 1+\sqrt5, 1-\sqrt5
\emptyset ≡ no solution
\{1, 1, 2\} ≡ \{1, 2\}
## points
(16, 7, -9, 2) ≡ \left(16, 7, -9, 2\right)
(3,4) ≡ \langle 3,4 \rangle
(1,2,3) ≡ [1,2,3]
(3,4) ≡ x=3, y=4
(3,4) ≡ (x,y)=(3,4)
(1,200) ≡ (1, 200)
(3,4) ≡ 3, 4
\left( 3, \frac{\pi}{2} \right) ≡ (3, π/2)
\begin{pmatrix}3\\4\end{pmatrix} ≡ (3,4)
## intervals
[-8,0) ≡ \left[-8, 0\right)
[3,\infty) ≡ x \ge 3
[1,2] ≡ x \in [1,2]
(3,4] ≡ 3 < x \leq 4
(-\infty,-7)\cup(5,\infty) ≡ (5,\infty)\cup(-\infty,-7)
(-\infty,1)\cup(7,\infty) ≡ x<1 or x>7
(-\infty,3)\cup(3,\infty) ≡ x \neq 3
(-\infty,3)\cup(3,\infty) ≡ \mathbb{R} \setminus \{3\}
(2,12)\cup(12,102) ≡ (2,102)-\{12\}
(-\infty,\infty) ≡ \mathbb{R}
[1,3] ≡ [1,2]\cup[2,3]
(3,\infty) ≡ \{x \mid x > 3\}
[2,3] ≡ [1,3]\cap[2,5]
(5, \infty) ≡ (5, ∞)
## matrices
\begin{pmatrix} -7 & 9 \\ -8 & -2 \end{pmatrix} ≡ \begin{bmatrix} -7 & 9 \\ -8 & -2 \end{bmatrix}
\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} ≡ \left[\begin{array}{cc}1&2\\3&4\\ \end{array}\right]
\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} ≡ [[1,2],[3,4]]
\begin{pmatrix} 1/5 \\ -18/5 \end{pmatrix} ≡ \begin{pmatrix} 0.2 \\ -3.6 \end{pmatrix}
## equations
3 ≡ x = 3
x=0 ≡ 0
y=2x+3 ≡ y=3+2x
y=2x+3 ≡ 2x-y+3=0
y=2x+3 ≡ 2x+3
5 ≡ 5 = x
f(x)=2x+3 ≡ y=2x+3
x=\pm 2 ≡ x=2,-2
x=\pm 2 ≡ x=2 or x=-2
5 ≡ a+b=5
8 ≡ 2^3 = 8
2, 3 ≡ x_1 = 2, x_2 = 3
a=2, b=3 ≡ b=3, a=2
x=1 \quad y=2 ≡ x=1, y=2
12 ≡ \text{Area} = 12
x+y \le 5 ≡ y \le 5 - x
3 \le x ≡ x \ge 3
4 ≡ 2+2=4
## units
15 ≡ 15 €
1200 ≡ 1,200€
12.5 ≡ 12.50 £
15 ≡ 15\$
5\,\text{cm} ≡ 5 \mathrm{cm}
12 ≡ 12\text{ meters}
12 ≡ 12 m
864 \mbox{ inches}^2 ≡ 864
15\text{ cm}^{2} ≡ 15 square centimeters
100 cm ≡ 1 m
20 mph ≡ 20 miles per hour
12 ≡ 12 m/s
90^\circ ≡ 90 degrees
90^\circ ≡ 90
90^\circ ≡ \frac{\pi}{2}
\$5.50 ≡ 550 cents
3 ≡ $3
10.5 ≡ \$10.50
10.5 ≡ 10.5 dollars
1920 ≡ 1920\text{ ways.}
18000 ≡ $18,000/year
3 ≡ 3 apples
1 hour ≡ 60 minutes
1000 cm^3 ≡ 1 liter
## bases and ratios
52_8 ≡ 52_{8}
52_8 ≡ 52
52_8 ≡ 52_{\text{eight}}
52_8 ≡ 42_{10}
42 ≡ 52_8
3:4 ≡ 3 : 4
3:4 ≡ 6:8
3:4 ≡ \frac{3}{4}
3:30 ≡ 3:30 p.m.
## words
\text{Evelyn} ≡ evelyn
(B) ≡ B
\text{(B)} ≡ B
B, C ≡ C and B
\text{Yes} ≡ yes.
True ≡ true
\infty ≡ infinity
\text{no solution} ≡ No solutions
## other scripts
18 ≡ ١٨
18 ≡ １８
-5 ≡ −5
6 ≡ 2×3
6 ≡ 2·3
x^2 ≡ x²
## several variables
ab ≡ a \cdot b
ab ≡ The answer is $ba \cdot 1$.
a*b ≡ ab
x>0, y<5 ≡ y<5, x>0
x+y>2, x<1 ≡ x<1, y+x>2
\{\frac13, \frac23\} ≡ \{0.667, 0.333\}
## chains and scales
\begin{cases} x = 1 \\ y = 2 \end{cases} ≡ x = 1, y = 2
1/3 ≡ \frac{1}{3} = 0.33
1/3 ≡ x = \frac{1}{3} = 0.33
3/4 ≡ 3/4, or 75%
1500000 ≡ 1.5 million
\$2,000,000 ≡ $2 million
2 ≡ 2 dozen
## numbers in words
100 ≡ one hundred
105 ≡ The answer is one hundred and five.
2500 ≡ two thousand five hundred
100 ≡ a hundred
12 ≡ a dozen
24 ≡ two dozen
1/2 ≡ one half
\frac{3}{4} ≡ three quarters
2/3 ≡ two-thirds
50\% ≡ fifty percent
-3 ≡ negative three
-3 ≡ minus 3
## set aside
18 ≡ I think it's 18, not 17.
18 ≡ It is 18 rather than 17.
3/4 ≡ The probability is 0.75 (75%).
2 ≡ The solution is 2 (the other root, -3, is extraneous).
2, -3 ≡ The solutions are $2$ and $-3$.
2, -3 ≡ The solutions are x = 2 and x = -3.
(0,9) \cup (9,36) ≡ Therefore, the result is (0,9) \cup (9,36).
5x - 7y + 4 = 0 ≡ The line is 5x - 7y + 4 = 0.
p - q ≡ Therefore, the result is p - q.
\pi ≡ Therefore, the result is \pi.
\text{east} ≡ Therefore, the result is \text{east}.
6 - 5i ≡ \boxed{\text{6 - 5i}}
## more
1234.5 ≡ $1,234.50
1234.5 ≡ \$1,234.50
\text{Evelyn} ≡ Evelyn
yes ≡ Yes.
B ≡ (B)
B ≡ \text{(B)}
y = 2x+3 ≡ y=3+2x
2x+3 ≡ f(x) = 2x+3
x - 3z = 0 ≡ 3z - x = 0
x - 3z = 0 ≡ x = 3z
[1,2] ≡ 1 \le x \le 2
(1,2) ≡ 1<x<2
(-\infty,1)\cup(7,\infty) ≡ x < 1 \text{ or } x > 7
(2,12)\cup(12,102) ≡ (2,102)\setminus\{12\}
\mathbb{R} ≡ (-\infty,\infty)
x>3 ≡ (3,\infty)
x \ge 3 ≡ 3 \le x
1 \pm \sqrt{19} ≡ 1+\sqrt{19}, 1-\sqrt{19}
1 \pm \sqrt{19} ≡ 1-\sqrt{19}, 1+\sqrt{19}
\pm2 ≡ 2, -2
\pm2 ≡ \{-2,2\}
(3,4) ≡ ( 3 , 4 )
(3,4) ≡ \left(3,\,4\right)
(3,4) ≡ \begin{pmatrix}3\\4\end{pmatrix}
(1,-16,-4,43) ≡ 1, -16, -4, 43
(x+1)^2 ≡ x^2+2x+1
x(x-1) ≡ x^2-x
2\sqrt{5} ≡ \sqrt{20}
\frac{\sqrt{3}}{3} ≡ \frac{1}{\sqrt{3}}
\frac{1}{1+\sqrt2} ≡ \sqrt2-1
\sin 2x ≡ 2\sin x\cos x
\sin^2 x ≡ 1-\cos^2 x
\cot x ≡ \frac{\cos x}{\sin x}
\sec^2 x ≡ 1+\tan^2 x
\ln 2+\ln 3 ≡ \ln 6
5! ≡ 120
\binom{5}{2} ≡ 10
10 ≡ {5\choose2}
90^{\circ} ≡ 90°
3:30 ≡ 3:30 PM
10:20 ≡ 1:2
1000 ≡ 1{,}000
1000 ≡ 10^{3}
1000 ≡ 1 000
\pi ≡ 3.1416
\pi ≡ \approx 3.1
\displaystyle\frac{1}{2} ≡ 0.5
5 cm ≡ 5
5 ≡ 5 cm
864 \mbox{ inches}^2 ≡ 864 square inches
15\mbox{ cm}^2 ≡ 15\text{ cm}^2
5 ≡ 5m
5.4 \text{ cents} ≡ 5.4
\$18.90 ≡ 18.9
\$18.90 ≡ $18.90
\$18.90 ≡ 18.90 dollars
12 m/s ≡ 12
12 ≡ 12\ \text{m/s}^2
4210_{5} ≡ 4210_5
3e3 ≡ 3000
0.0000672 ≡ 6.72 \times 10^{-5}
1+2i ≡ 2i+1
6+8i, 6+17i ≡ 6 + 17i, 6 + 8i
\frac{11+9a}{20} ≡ \frac{9a+11}{20}
137 \frac{1}{2} ≡ 137.5
-4 2/3 ≡ -\frac{14}{3}
3, 5, 7 ≡ 7,5,3
\begin{pmatrix} 1/5 \\ -18/5 \end{pmatrix} ≡ \begin{bmatrix} 0.2 \\ -3.6 \end{bmatrix}
no solution ≡ \emptyset
\emptyset ≡ \{\}
12 ≡ x = 12
12 ≡ $$x = 12$$
12 ≡ \[x = 12\]
12 ≡ \(12\)
twelve ≡ 12
12 ≡ twelve
\frac{1}{2} ≡ \frac{1}{2}.
5 ≡ 5.
5 ≡ 5,
x \in [-2,7] ≡ [-2,7]
(-\infty, 0] ≡ x \le 0
e^{2x} ≡ (e^x)^2
2^{10} ≡ 1024
2^10 ≡ 1024
p - q ≡ -(q-p)
2k ≡ k+k
8n^2 + 4n + 1 ≡ 1+4n(2n+1)
5r^5 ≡ 5r^{5}
\sqrt[3]{2} ≡ 2^{1/3}
\sqrt[3]{-8} ≡ -2
\frac{20000}{\pi} ≡ 20000/\pi
18+2\pi ≡ 2(9+\pi)
even ≡ \text{even}
10,\!080 ≡ 10080
\$32,\!348 ≡ 32348
\$32,\!348 ≡ $32,348
58,500 ≡ 58500
(0,9) \cup (9,36) ≡ (9,36)\cup(0,9)
(5,\infty) ≡ x>5
(5,\infty) ≡ (5, infinity)
(5,\infty) ≡ (5, ∞)
5x - 7y + 11z + 4 = 0 ≡ -5x+7y-11z-4=0
\left( 3, \frac{\pi}{2} \right) ≡ (3, pi/2)
\left( 3, \frac{\pi}{2} \right) ≡ (3, 1.5708)
2 ≡ x_1 = 2
2,3 ≡ x = 2 \text{ or } x = 3
2,3 ≡ x=2 and x=3
\text{Monday} ≡ Monday
0 ≡ 0.0
0 ≡ zero
120,240 ≡ 120, 240
\frac{\pi}{6} ≡ 30^\circ
-\frac{\pi}{6} ≡ -30^\circ
4 ≡ 2+2
\frac{3}{2} ≡ 1.5
1.25 ≡ 5/4
1.25 ≡ 1\frac14
3 \times 10^8 ≡ 300000000
300,000,000 ≡ 3\times10^8
\frac{9\sqrt{2}+8\sqrt{3}}{6} ≡ \frac{3}{2}\sqrt{2}+\frac43\sqrt3
2 \tan x ≡ 2\frac{\sin x}{\cos x}
x^8 + x^7 + x^6 + x^5 + x^4 + x^3 + x^2 + x + 1 ≡ \frac{x^9-1}{x-1}
16 \sqrt{3} ≡ 27.7
-2,1 ≡ {-2, 1}
-2,1 ≡ x=-2, x=1
-2,1 ≡ x = -2, 1
15\text{ cm}^{2} ≡ 15
15\text{ cm}^{2} ≡ 15 \text{ square centimeters}
15\text{ cm}^{2} ≡ 15\,\mathrm{cm}^2
15\text{ cm}^{2} ≡ 15 cm²
0.3 ≡ 0.1+0.2
5 ≡ e^{\ln 5}
-1 ≡ i^2
1 ≡ \sin^2 x+\cos^2 x
6 ≡ 2\times 3
3 ≡ \lceil 2.1 \rceil
2 ≡ -(-2)
2 ≡ \frac{1}{\frac{1}{2}}
0 ≡ \frac{0}{5}
\frac{a}{b} ≡ a/b
2xy ≡ 2yx
abc+1 ≡ 1+cba
x=5 ≡ x = 5
x=5 ≡ 5
A=\pi r^2 ≡ \pi r^2
2x=10 ≡ x=5
x^2+y^2=4 ≡ y^2+x^2-4=0
y = \frac{1}{2}x ≡ x = 2y
\text{Saturday} ≡ saturday
\text{(A), (C)} ≡ A, C
B, C ≡ C, B
B, C ≡ B and C
\text{Yes} ≡ yes
(-\infty, \infty) ≡ \mathbb{R}
2:30 ≡ 2:30 p.m.
6:30 \text{ p.m.} ≡ 6:30
6:30 \text{ p.m.} ≡ 6:30 pm
1.5 ≡ 3/2
75\% ≡ .75
0.1\% ≡ 0.001
\frac{1}{2} ≡ 0.50
\frac{2}{3} ≡ 66.7\%
\frac{2}{3} ≡ \approx 0.67
\frac{2}{3} ≡ approximately 0.67
5 ≡ about 5.0
5 ≡ approximately 5
\sqrt{2} ≡ 1.414
\sqrt{2} ≡ 1.41
100\pi ≡ 314.16
12\pi ≡ 12\pi \text{ cm}^2
12\pi ≡ 12π square units
12\pi ≡ 37.7
\frac{3}{4} ≡ ¾
2\sqrt{3} ≡ 2 \sqrt 3
2\sqrt{3} ≡ 2*3^(1/2)
2\sqrt{3} ≡ 2*3**0.5
2\sqrt{3} ≡ \sqrt{12}
2\sqrt{3} ≡ sqrt(12)
2\sqrt{3} ≡ 2sqrt3
2\sqrt{3} ≡ 2√(3)
\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} ≡ \left[\begin{array}{cc}1&2\\3&4\end{array}\right]
\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} ≡ \begin{pmatrix} 1 & 2 \\ 3 & 4 \\ \end{pmatrix}
18 ≡ = 18
18 ≡ ≈ 18
18 ≡ 18 (eighteen)
18 ≡ 18 or so
\frac{3}{8} ≡ P(A) = 3/8
1,234 ≡ 1234
1,234,567 ≡ 1234567
n! ≡ n \cdot (n-1)!
\binom{n}{2} ≡ \frac{n(n-1)}{2}
\sin(2x) ≡ \sin 2x
\arctan 1 ≡ \frac{\pi}{4}
\tan^{-1} 1 ≡ \frac{\pi}{4}
\sin^{-1}\frac12 ≡ 30^\circ
\log_{10} 2 ≡ \log 2
\ln 2 ≡ \log 2
\log_2 8 ≡ 3
\sqrt{2}e^{i\pi/4} ≡ 1+i
10! ≡ 3628800
20!/18! ≡ 380
\frac{x}{|x|} ≡ \frac{|x|}{x}
3x+2 ≡ 2+3x
3(x+1) ≡ 3x+3
\$5.50 ≡ 5.5
5.50 ≡ $5.50
€5 ≡ 5 euros
£5 ≡ 5
3 feet ≡ 36 inches
12 inches ≡ 1 foot
2 hours ≡ 2
5 ≡ -(-5)
0.25 ≡ 1/4
\frac{1}{4} ≡ 25%
2\frac{1}{2} ≡ 5/2
2 \cdot \frac{1}{2} ≡ 1
-2\frac12 ≡ -2.5
(-\infty, \infty) ≡ all real numbers
## old and foreign notation
5\over 6 ≡ 5/6
50 per cent ≡ 0.5
[1,\infty[ ≡ [1,\infty)
]0,1[ ≡ (0,1)
(0,1) ≡ x \in ]0,1[
(0,1] ≡ ]0,1]
]-\infty,1[\cup]2,\infty[ ≡ (-\infty,1)\cup(2,\infty)
10\!,\!000 ≡ 10000
\,\frac{1}{2}\, ≡ 0.5
\frac{10!}{7!\,3!} ≡ 120
98.6 ≡ 98.6℉
20\text{ degrees Celsius} ≡ 20℃
## names in front of values
AB = 10 ≡ 10
60 ≡ \angle ABC = 60^\circ
60 ≡ m\angle B = 60^\circ
10 ≡ \overline{AB} = 10
## words and numbers
\text{June 20} ≡ June 20
x-axis ≡ x\text{-axis}
1/2 ≡ one-half
60 mph ≡ sixty miles per hour
5 ≡ five people
A ≡ Option A
5:30 p.m. ≡ 5:30
"""

DIFFERENT = r"""
## repetitions
1 ≢ 1, 1
1 ≢ 1 and 1
1 ≢ 1; 1
1 ≢ 1, 1, 1
1 ≢ \boxed{1, 1}
1 ≢ x = 1, y = 1
x = 1 ≢ x = 1, x = 1
-1 ≢ x = -1, -1
\frac{1}{2} ≢ 0.5, 1/2
\sqrt{2} ≢ \sqrt{2}, \sqrt{2}
5 cm ≢ 5 cm, 5 cm
x ≢ x, x
1, 2 ≢ 1, 2, 2
1, 1 ≢ 1, 1, 1
\{1\} ≢ 1, 1
\{1, 2\} ≢ 1, 2, 2
\{\sqrt{2}\} ≢ \sqrt{2}, \sqrt{2}
(1, 1) ≢ 1
(1, 1) ≢ \{1\}
(1, 1) ≢ \{1, 1\}
(1, 1, 2) ≢ (1, 2, 2)
(1, 1, 2) ≢ (1, 2)
(1,2) ≢ (1,2), (1,2)
\{(1,2)\} ≢ (1,2), (1,2)
1 ≢ \pm 1
## integers
662 ≢ -662
941 ≢ 9410
10000000 ≢ 10000001
2000 ≢ 2000.4
1000/3 ≢ 333
262537412640768744 ≢ e^{\pi\sqrt{163}}
## notation traps
(1,2) ≢ 12
12 ≢ 1,2
12 ≢ 1 2
0.5 ≢ .05
0 ≢ -0.001
\frac{1}{2x} ≢ \frac{1}{2}x
e^{2x} ≢ e^2x
0.\overline{3} ≢ 0.3
9 ≢ -3^2
\sqrt{2}x ≢ \sqrt{2x}
1000 ≢ 1.000
2^{10} ≢ 210
123 ≢ \frac{12}{3}
1000 ≢ 1_000
1200 ≢ (1,200)
-1000 ≢ 10^{-3}
\displaystyle\frac{1}{2} ≢ \displaystyle\frac{3}{4}
\sin x^2 ≢ (\sin x)^2
x ≢ \sqrt{x^2}
5 ≢ 5!!!!!!!!!!
5 ≢ \$
5 ≢ 5x
## percent
50 ≢ 50%
50% ≢ 50
75\% ≢ 76\%
\frac{2}{3} ≢ 66%
## rounding
1/3 ≢ 0.33
1/3 ≢ 0.3
\frac{1}{6} ≢ 0.217
\pi ≢ 3.15
\pi ≢ 22/7
3.21 ≢ 3.2
0.333 ≢ 1/3
\sqrt{2} ≢ 1.4
5 ≢ about 5.1
100\pi ≢ 314
\frac{2}{3} ≢ about 0.68
## near misses
\frac{7}{8} ≢ \frac{8}{7}
-\frac{14}{3} ≢ -5\frac{2}{3}
2+3\sqrt{10} ≢ 2-3\sqrt{10}
x^{2} - 49 ≢ 49 - x^{2}
\frac{x - 2}{x + 4} ≢ \frac{x + 4}{x - 2}
\ln 25 ≢ \ln 26
\frac{1}{2} ≢ \cos\frac{\pi}{6}
1+1i ≢ 1-1i
\frac{2\pi}{3} ≢ \frac{2}{3}
\log_3 2 ≢ \log_2 3
## structures
\{3, -2\} ≢ \{3\}
3,5,5 ≢ 3,3,5
(4, 19, -1) ≢ (-1, 19, 4)
\{2,3\} ≢ (2,3)
\pm 2 ≢ 2
[-8,0) ≢ [-8,0]
(-5,8) ≢ [-5,8]
[0,7] ≢ [0,8]
x>3 ≢ x<3
[1,2] ≢ 1<x<2
(-\infty,5)\cup(7,\infty) ≢ (-\infty,5]\cup(7,\infty)
4 + 3i ≢ (4, 3)
3 ≢ 3, 4
\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} ≢ \begin{pmatrix} 1 & 3 \\ 2 & 4 \end{pmatrix}
\begin{pmatrix} 1 & 2 \end{pmatrix} ≢ \begin{pmatrix} 1 \\ 2 \end{pmatrix}
## equations
x=0 ≢ x=1
x=5 ≢ y=5
x>3 ≢ y>3
y=2x+3 ≢ y=3x+2
x^2=25 ≢ x=5
0 ≢ x + y = 0
x^2+y^2=25 ≢ 25
1, 2, 3, \ldots ≢ 3
x=1 \quad y=2 ≢ x=1 \quad y=3
a=2, b=3 ≢ a=3, b=2
3x+2 ≢ 3x+2=0
x+y \le 5 ≢ y \ge 5 - x
## units
12 ≢ 13 meters
15 ≢ 16 €
5 cm ≢ 5 m
5 cm ≢ 5 kg
5 cm ≢ 5 cm^2
\$5 ≢ €5
3 ≢ \$4
9 a.m. ≢ 9 p.m.
## bases and ratios
52_8 ≢ 42
3:30 ≢ 3:40
3:30 ≢ 1:10
3:4 ≢ 4:3
## words
no ≢ on
ab ≢ a+b
21 ≢ twenty-two
\text{Monday} ≢ \text{Tuesday}
\text{undefined} ≢ 0
\text{east} ≢ \text{west}
A ≢ B
yes ≢ no
B, C ≢ B, D
## nothing
5 ≢ I do not know.
\frac{1}{0} ≢ \frac{2}{0}
## several variables
x>0, y<5 ≢ y>0, x<5
x>0, y<5 ≢ x>0 or y<5
## chains and scales
4 ≢ 2+2=5
0.5 ≢ 1/3 = 0.33
2 ≢ 2 million
## set aside
18 ≢ The answer is not 18
17 ≢ I think it's 18, not 17.
-3 ≢ The solution is 2 (the other root, -3, is extraneous).
2 ≢ The solutions are $2$ and $-3$.
## numbers in words
56 ≢ five six
1990 ≢ nineteen ninety
100 ≢ one hundred and
## more
\text{Evelyn} ≢ Carla
yes ≢ No.
y = 2x+3 ≢ y=2x-3
(3,4) ≢ (4,3)
(x+1)^2 ≢ x^2+2x+2
\cot x ≢ \frac{\sin x}{\cos x}
\infty ≢ -\infty
1+2i ≢ 1-2i
3, 5, 7 ≢ 3,5
5x - 7y + 11z + 4 = 0 ≢ 5x - 7y + 11z - 4 = 0
16 \sqrt{3} ≢ 27.72
5 (apples) ≢ 5
1000 ≢ 10^{2}
x^2 ≢ 2x
1 ≢ 0.999
1000 ≢ 1,00
1000 ≢ 1,0,0,0
(2,3) ≢ [2,3]
(2,3) ≢ 23
\frac{a}{b} ≢ b/a
ab ≢ ba
x=-5 ≢ x=5
x=2 ≢ x=2, x=3
x^2+y^2=4 ≢ x^2+y^2=2
True ≢ False
75\% ≢ 75
\frac{2}{3} ≢ 66\%
\frac{2}{3} ≢ 0.67
\sqrt{2} ≢ 1.42
3 ≢ 3 apples and 4 pears
(3,4) ≢ (3, 4) and (5,6)
\begin{pmatrix} 1 \\ 2 \end{pmatrix} ≢ \begin{pmatrix} 1 \\ 3 \end{pmatrix}
0.5 ≢ 0,5
|x-1| ≢ x-1
3x+2 ≢ 3x + 2 = 0
3[x+1] ≢ 3x+3
1 hour 30 minutes ≢ 90 minutes
2\frac{1}{2} ≢ 1
-2\frac12 ≢ -1.5
## old and foreign notation
]0,1[ ≢ [0,1]
[0,1[ ≢ (0,1]
(3,4] ≢ [3,4[
5:30 p.m. ≢ 5:30 a.m.
x-axis ≢ y-axis
20℃ ≢ 20℉
AB = 10 ≢ 11
20 ≢ twenty eleven
1 ≢ one to one
"""
