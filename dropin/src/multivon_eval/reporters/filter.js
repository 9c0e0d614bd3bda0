document.getElementById("filter").addEventListener("input", event => {
  const wanted = event.target.value.toLowerCase();
  for (const shown of document.getElementById("cases").children) {
    shown.hidden = !shown.textContent.toLowerCase().includes(wanted);
  }
});
