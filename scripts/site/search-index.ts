import type { AsPlainObject } from "minisearch";
import type { UserConfig } from "vitepress";
import * as z from "zod";
import { IN_ENGLISH } from "./texts.js";

/** A search index as MiniSearch stores it. The numbers of the parts of pages are its keys. */
const searchIndex = z.custom<SearchIndex>((value) => value !== null && typeof value === "object");

interface SearchIndex extends AsPlainObject {
  readonly documentIds: Record<string, unknown>;
  readonly storedFields: Record<string, Headings>;
}

/**
 * What a result shows of a part of a page: its heading, and the headings above it, beginning with
 * the page's.
 */
interface Headings {
  readonly title: string;
  readonly titles: readonly string[];
}

/** A plugin of Vite, which VitePress builds the site with. */
type Plugin = Extract<
  NonNullable<NonNullable<UserConfig["vite"]>["plugins"]>[number],
  { readonly name: string; readonly enforce?: unknown }
>;

const CHINESE = "/@localSearchIndexzh";
const ENGLISH = "/@localSearchIndexroot";
const MODULE = "export default ";

/** Lets the search of the Chinese site also find the English pages that have no translation. */
export function searchOfBothLanguages(): Plugin {
  let base = "/";
  return {
    name: "tillkit:search-of-both-languages",
    enforce: "pre",
    configResolved: (config) => {
      ({ base } = config);
    },
    async transform(code, id) {
      if (id !== CHINESE) return undefined;
      const english = await this.load({ id: ENGLISH });
      if (english.code === null) throw new Error("VitePress gave no English search index");
      return moduleOf(withUntranslated(indexIn(code), indexIn(english.code), base));
    },
  };
}

/** Returns the index in a module of VitePress: a text of JSON. */
function indexIn(code: string): SearchIndex {
  const text = z.string().parse(JSON.parse(code.slice(code.indexOf(MODULE) + MODULE.length)));
  return searchIndex.parse(JSON.parse(text));
}

function moduleOf(index: SearchIndex): string {
  return MODULE + JSON.stringify(JSON.stringify(index));
}

/**
 * Adds to the index of the Chinese pages those parts of English pages that have no translation,
 * and marks their results as English.
 *
 * @param base - the path of the site on its server, with which the ids of both indexes begin.
 */
export function withUntranslated(chinese: SearchIndex, english: SearchIndex, base: string): SearchIndex {
  const translated = new Set(Object.values(chinese.documentIds).map(pageOf));
  const wanted = Object.entries(english.documentIds).filter(
    ([, id]) => !translated.has(`${base}zh/${pageOf(id).slice(base.length)}`),
  );
  // The English numbers follow the Chinese ones.
  const numbers = new Map(wanted.map(([number]) => [number, String(Number(number) + chinese.nextId)]));
  const moved = <T>(values: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(values).flatMap(([number, value]) => {
        const other = numbers.get(number);
        return other === undefined ? [] : [[other, value]];
      }),
    );
  const terms = new Map(chinese.index);
  for (const [term, byField] of english.index) {
    const known = terms.get(term) ?? {};
    const found = Object.entries(byField).map(
      ([field, frequencies]) => [field, { ...known[Number(field)], ...moved(frequencies) }] as const,
    );
    terms.set(term, { ...known, ...Object.fromEntries<Record<string, number>>(found) });
  }
  const fieldLength = { ...chinese.fieldLength, ...moved(english.fieldLength) };
  return {
    ...chinese,
    documentCount: chinese.documentCount + wanted.length,
    nextId: chinese.nextId + english.nextId,
    documentIds: { ...chinese.documentIds, ...moved(english.documentIds) },
    storedFields: { ...chinese.storedFields, ...markedAsEnglish(moved(english.storedFields)) },
    fieldLength,
    averageFieldLength: averagesOf(Object.values(fieldLength)),
    index: [...terms],
  };
}

/** Marks the title of the page, which is the first of the headings. */
function markedAsEnglish(parts: Readonly<Record<string, Headings>>): Record<string, Headings> {
  return Object.fromEntries(
    Object.entries(parts).map(
      ([
        number,
        {
          title,
          titles: [page, ...others],
        },
      ]) => [
        number,
        page === undefined
          ? { title: title + IN_ENGLISH, titles: [] }
          : { title, titles: [page + IN_ENGLISH, ...others] },
      ],
    ),
  );
}

function pageOf(id: unknown): string {
  return String(id).split("#")[0] ?? "";
}

/** Returns the average length of each field. */
function averagesOf(lengths: readonly (readonly number[])[]): number[] {
  const fields = Math.max(0, ...lengths.map(({ length }) => length));
  return Array.from(
    { length: fields },
    (_, field) => lengths.reduce((sum, one) => sum + (one[field] ?? 0), 0) / lengths.length,
  );
}
