import { useSyncExternalStore } from "react";

const KEY = "tillkit-theme";

/** The choices of the theme switch. `system` follows the settings of the device. */
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

/** Returns a value that changes whenever the colours of the page do. */
export function useThemeChange(): string {
  return useSyncExternalStore(subscribe, currentColors);
}

function subscribe(onChange: () => void): () => void {
  const media = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  media.addEventListener("change", onChange);
  return () => {
    observer.disconnect();
    media.removeEventListener("change", onChange);
  };
}

function currentColors(): string {
  const { matches } = matchMedia("(prefers-color-scheme: dark)");
  return `${document.documentElement.dataset["theme"] ?? ""} ${String(matches)}`;
}
