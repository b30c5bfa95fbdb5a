const KEY = "tillkit-theme";

/** What the switch offers. `system` follows the settings of the device. */
export const THEMES = ["system", "light", "dark"] as const;
/** A choice of the switch. */
export type Theme = (typeof THEMES)[number];

/** Returns the stored choice of this browser. */
export function storedTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return THEMES.find((one) => one === stored) ?? "system";
}

/** Shows the page in a theme, and stores the choice. */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme(theme);
}

/** Shows the page in a theme. The style sheet reads the attribute. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
}
