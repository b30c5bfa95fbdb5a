import { createContext, useContext } from "react";

/** The languages of the page, in the order of the switch. */
export const LANGUAGES = ["en", "zh"] as const;
/** A language of the page. */
export type Language = (typeof LANGUAGES)[number];

/** The tag of each language for `Intl` and for the `lang` attribute. */
export const LANGUAGE_TAGS = { en: "en", zh: "zh-CN" } as const satisfies Record<Language, string>;

/** Returns whether a text names a language. */
export function isLanguage(text: unknown): text is Language {
  return LANGUAGES.some((one) => one === text);
}

/** Returns the language that the browser prefers. */
export function browserLanguage(): Language {
  return navigator.languages.find((tag) => /^(?:en|zh)\b/.test(tag))?.startsWith("zh") === true ? "zh" : "en";
}

/** The language of everything below. */
export const LanguageContext = createContext<Language>("en");

/** Returns the language of the page. */
export function useLanguage(): Language {
  return useContext(LanguageContext);
}
