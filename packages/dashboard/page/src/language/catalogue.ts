import { type Language, useLanguage } from "./language.js";

/** A text, or a function that puts values into a text. */
type Message = string | ((...values: never[]) => string);

/** The same keys as `T`, with functions of the same parameters. */
type Translation<T extends Readonly<Record<string, Message>>> = {
  readonly [Key in keyof T]: T[Key] extends (...values: infer Values) => string
    ? (...values: Values) => string
    : string;
};

/** The texts of one feature in every language. */
export type Catalogue<T extends Readonly<Record<string, Message>>> = Readonly<
  Record<Language, Translation<T>>
>;

/**
 * Creates the catalogue of a feature.
 *
 * The Chinese texts must have exactly the keys of the English ones, or the page does not compile.
 */
export function catalogue<T extends Readonly<Record<string, Message>>>(
  en: T & Translation<T>,
  zh: NoInfer<Translation<T>>,
): Catalogue<T> {
  return { en, zh };
}

/** Returns the texts of a catalogue in the language of the page. */
export function useTexts<T extends Readonly<Record<string, Message>>>(texts: Catalogue<T>): Translation<T> {
  return texts[useLanguage()];
}
