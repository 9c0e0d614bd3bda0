const cases = [...document.getElementById("cases").children];
document.getElementById("filter").addEventListener("input", event => {
  const wanted = event.target.value.toLowerCase();
  for (const shown of cases) {
    const said = shown.firstElementChild.textContent + shown.querySelector(".said").textContent;
    shown.hidden = !said.toLowerCase().includes(wanted);
  }
});
for (const shown of cases) {
  shown.addEventListener("toggle", () => shown.firstElementChild.setAttribute("aria-expanded", shown.open));
}
