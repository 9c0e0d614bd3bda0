// The button that changes between light and dark.
document.querySelectorAll("[data-do=theme]").forEach((button) => {
  button.hidden = false;
  button.onclick = () => {
    const root = document.documentElement;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  };
});
