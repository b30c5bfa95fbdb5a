import { posix } from "node:path";
import { z } from "zod";

const map = z.object({
  sourceRoot: z.string().default(""),
  // Empty for an entry that only exports the names of a shared chunk.
  sources: z.array(z.string()),
});

/**
 * Returns the built files of a package without a map, and the maps whose sources it does not have.
 *
 * @param files - the paths of the package's files, relative to the package.
 * @param read - returns the text of a file.
 */
export function brokenMaps(files: readonly string[], read: (file: string) => string): readonly string[] {
  const present = new Set(files);
  const built = files.filter((file) => /^dist\/.*\.(?:js|d\.ts)$/u.test(file));
  if (built.length === 0) return ["dist has no built file"];
  return built.flatMap((file) => {
    if (!present.has(`${file}.map`)) return [`${file} has no map`];
    const { sourceRoot, sources } = map.parse(JSON.parse(read(`${file}.map`)));
    return sources
      .map((source) => posix.join(posix.dirname(file), sourceRoot, source))
      .filter((source) => !present.has(source))
      .map((source) => `${file}.map leads to ${source}, which is missing`);
  });
}
