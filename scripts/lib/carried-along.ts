import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import { readJson } from "./packages.js";

/** Libraries whose code a package's `dist` carries along, sorted. Source: docs/decisions, "Core carries its libraries along". */
const CARRIED: Readonly<Record<string, readonly string[]>> = {
  "@tillkit/core": ["@date-fns/tz", "date-fns", "libphonenumber-js", "zod"],
};

/** Where a package that carries libraries along keeps their licences, relative to its folder. */
export const NOTICES = "dist/THIRD-PARTY-NOTICES.txt";

/** The libraries whose code the package called `name` carries along. */
export function carriedBy(name: string): readonly string[] {
  return CARRIED[name] ?? [];
}

/** What esbuild says about the files it made: which sources went into each, with how many bytes. */
export interface BuiltFrom {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

/** The folders of the libraries whose code is in the outputs, by name of library, sorted. */
export function librariesIn({ outputs }: BuiltFrom): ReadonlyMap<string, string> {
  const sources = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  const folders = sources.flatMap((file) => {
    const [, folder, name] = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//u.exec(file) ?? [];
    return folder === undefined || name === undefined ? [] : [[name, folder] as const];
  });
  return new Map(folders.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const library = z.object({ version: z.string(), license: z.string() });

/** The licences of `libraries` (name and folder of each) as one text: every file in which a library states its terms, in full. */
export function noticesOf(libraries: ReadonlyMap<string, string>): string {
  const notices = [...libraries].map(([name, folder]) => {
    const { version, license } = library.parse(readJson(`${folder}/package.json`));
    const files = readdirSync(folder)
      .filter((file) => /^(?:licen[cs]e|notice|copying)/iu.test(file))
      .sort();
    if (files.length === 0)
      throw new Error(`${name} has no file with its licence: it cannot be carried along`);
    const texts = files.map((file) => readFileSync(`${folder}/${file}`, "utf8").trim());
    return [`${name} ${version} (${license})`, ...texts].join("\n\n");
  });
  const rule = `\n\n${"-".repeat(80)}\n\n`;
  return ["This package contains code of the following libraries.", ...notices].join(rule) + "\n";
}
