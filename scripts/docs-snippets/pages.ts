import { existsSync, readdirSync, readFileSync } from "node:fs";
import { root } from "@tillkit/repository";

/** A page of the documentation. */
export interface DocPage {
  /** The path relative to the repository. */
  readonly path: string;
  readonly text: string;
}

/**
 * Returns every hand-written page: README files, everything in `docs` but the reference, and the
 * pages for contributors.
 */
export function pages(): readonly DocPage[] {
  const readmes = ["packages", "packages/internal", "examples"].flatMap((parent) =>
    readdirSync(`${root}${parent}`).map((folder) => `${parent}/${folder}/README.md`),
  );
  const docs = readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" })
    .map((file) => `docs/${file}`)
    .filter((file) => file.endsWith(".md") && !file.startsWith("docs/reference/"));
  return ["README.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md", ...readmes, ...docs]
    .filter((path) => existsSync(`${root}${path}`))
    .sort()
    .map((path) => ({ path, text: readFileSync(`${root}${path}`, "utf8") }));
}
