import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Returns the sorted names of the files in `folder` that are missing, surplus or different. */
export function staleFiles(folder: string, expected: ReadonlyMap<string, string>): readonly string[] {
  const present = existsSync(folder) ? readdirSync(folder) : [];
  const surplus = present.filter((file) => !expected.has(file));
  const changed = [...expected].filter(
    ([file, content]) => !present.includes(file) || readFileSync(`${folder}/${file}`, "utf8") !== content,
  );
  return [...surplus, ...changed.map(([file]) => file)].sort();
}
