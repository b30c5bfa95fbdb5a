import { execSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withTemporaryFolder } from "@tillkit/repository";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { FRAMEWORK_NAMES } from "./frameworks.js";
import { PACKAGE_MANAGER_NAMES } from "./package-managers.js";
import { folderProblem, packageVersion, writeProject } from "./write-project.js";

const names = z.record(z.string(), z.string());
const manifest = z.object({ name: z.string(), dependencies: names, devDependencies: names });

const tested = z.object({
  scripts: z.object({ test: z.string() }),
  jest: z.object({ roots: z.array(z.string()) }),
});

const MOST_FILES = 12;
const MOST_LINES = 300;

/** Returns the texts of the files in the folder, by their paths. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]),
  );
}

describe.each(FRAMEWORK_NAMES)("the project with %s", (framework) => {
  it(`has at most ${MOST_FILES} files and ${MOST_LINES} lines of TypeScript, and no placeholder`, async () => {
    await withTemporaryFolder(async (parent) => {
      const folder = `${parent}/shop`;
      await writeProject({ folder, framework, packageManager: "npm" });
      const files = filesIn(folder);
      expect(files.size).toBeLessThanOrEqual(MOST_FILES);
      expect([...files.keys()].filter((path) => path.endsWith(".md"))).toEqual(["README.md"]);
      const code = [...files].filter(([path]) => /\.tsx?$/u.test(path)).map(([, text]) => text);
      const lines = code
        .join("")
        .split("\n")
        .filter((line) => line.trim() !== "");
      expect(lines.length).toBeLessThanOrEqual(MOST_LINES);
      expect([...files].filter(([, text]) => text.includes("{{"))).toEqual([]);
      // A formatter would split a placeholder that is not quoted, and YAML would read a mapping.
      expect(files.get("compose.yaml")).toContain('\n  image: "shop"\n');
      expect([...files.keys()]).toEqual(
        expect.arrayContaining([".env.example", ".gitignore", "Dockerfile", "README.md", "compose.yaml"]),
      );
      const ignored = files.get(".gitignore")?.split("\n");
      expect(ignored).toEqual(expect.arrayContaining([".env", ".tillkit/", "keys.json", "node_modules/"]));
    });
  });

  it("depends on Tillkit's packages of the same version, and names what its code imports", async () => {
    await withTemporaryFolder(async (parent) => {
      const folder = `${parent}/shop`;
      await writeProject({ folder, framework, packageManager: "npm" });
      const files = filesIn(folder);
      const { name, dependencies, devDependencies } = manifest.parse(
        JSON.parse(files.get("package.json") ?? ""),
      );
      expect(name).toBe("shop");
      const own = Object.entries({ ...dependencies, ...devDependencies }).filter(([one]) =>
        /tillkit/u.test(one),
      );
      expect(own.map(([, version]) => version)).toEqual(own.map(() => `^${packageVersion()}`));
      const code = [...files].filter(([path]) => /\.tsx?$/u.test(path));
      const imported = (inTests: boolean) =>
        code
          .filter(([path]) => path.startsWith("test/") === inTests)
          .flatMap(([, text]) => [...text.matchAll(/(?:from|import|import\() ?"((?:@[\w-]+\/)?[\w-]+)/gu)])
          .map(([, one = ""]) => one)
          .filter((one) => one !== "node");
      const inDevelopment = ["@tillkit/sandbox"];
      const missing = imported(false).filter((one) => !(one in dependencies) && !inDevelopment.includes(one));
      expect(missing).toEqual([]);
      expect(imported(true).filter((one) => !(one in dependencies) && !(one in devDependencies))).toEqual([]);
    });
  });
});

it.each(PACKAGE_MANAGER_NAMES)("names the commands of %s", async (packageManager) => {
  await withTemporaryFolder(async (parent) => {
    const folder = `${parent}/shop`;
    await writeProject({ folder, framework: "node", packageManager });
    const files = filesIn(folder);
    expect(files.get("README.md")).toContain(`\n${packageManager} install\n${packageManager} run dev\n`);
    expect(files.get("Dockerfile")).toContain(`RUN ${packageManager} run build && ${packageManager}`);
  });
});

it("shows in the README of Next.js a page with its layout, and in no other README", async () => {
  await withTemporaryFolder(async (parent) => {
    for (const framework of FRAMEWORK_NAMES) {
      const folder = `${parent}/${framework}`;
      await writeProject({ folder, framework, packageManager: "npm" });
      const readme = filesIn(folder).get("README.md") ?? "";
      const pages = [...readme.matchAll(/^```tsx\n\/\/ (\S+)\n/gmu)].map(([, path]) => path);
      const expected = ["src/app/layout.tsx", "src/app/month/page.tsx"];
      expect(pages).toEqual(framework === "next" ? expected : []);
      expect(readme.includes('{"payload":{"code_url"')).toBe(framework === "next");
      expect(readme).toContain("\n\n## Production\n\n");
    }
  });
});

it("runs with Jest the compiled tests, without those of deleted files", async () => {
  await withTemporaryFolder(async (parent) => {
    const folder = `${parent}/shop`;
    await writeProject({ folder, framework: "nest", packageManager: "npm" });
    const { scripts, jest } = tested.parse(JSON.parse(readFileSync(`${folder}/package.json`, "utf8")));
    // A name after `npm test --` is then the only pattern.
    expect(jest.roots).toEqual(["dist-test"]);
    expect(scripts.test).toMatch(/ && tsc --outDir dist-test && .*\/jest\.js$/u);
    await mkdir(`${folder}/dist-test`, { recursive: true });
    await writeFile(`${folder}/dist-test/deleted.test.js`, "");
    execSync(scripts.test.split(" && ")[0] ?? "", { cwd: folder });
    expect(existsSync(`${folder}/dist-test/deleted.test.js`)).toBe(false);
  });
});

it("starts the container without a package manager, which would not pass signals on", async () => {
  await withTemporaryFolder(async (parent) => {
    for (const framework of FRAMEWORK_NAMES) {
      const folder = `${parent}/${framework}`;
      await writeProject({ folder, framework, packageManager: "npm" });
      const last = filesIn(folder).get("Dockerfile")?.trim().split("\n").at(-1);
      expect(last).toMatch(/^CMD \["node", "[^"]+\/(?:server\.js"|next", "start")\]$/u);
    }
  });
});

it("lets pnpm install packages whose scripts it does not run, also in the container", async () => {
  await withTemporaryFolder(async (parent) => {
    const folder = `${parent}/shop`;
    await writeProject({ folder, framework: "node", packageManager: "pnpm" });
    const files = filesIn(folder);
    expect(files.get("pnpm-workspace.yaml")).toContain("strictDepBuilds: false");
    expect(files.get("Dockerfile")).toContain("COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./");
  });
});

it("refuses a folder that is not empty, and a name that no package can have", async () => {
  await withTemporaryFolder(async (parent) => {
    expect(folderProblem(`${parent}/shop`)).toBeUndefined();
    await mkdir(`${parent}/shop`);
    expect(folderProblem(`${parent}/shop`)).toBeUndefined();
    await writeFile(`${parent}/shop/mine.txt`, "");
    expect(folderProblem(`${parent}/shop`)).toMatch(/not empty\. Choose another name/u);
    expect(folderProblem(`${parent}/My Shop`)).toMatch(/lower-case letters/u);
  });
});
