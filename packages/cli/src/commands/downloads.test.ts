import { spawn } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { builtProgram } from "@tillkit/built-program";
import { orThrow } from "@tillkit/core";
import { postgresAppStore, postgresDownloadsSource } from "@tillkit/postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { emptiedHost, type Place } from "../testing/cli.js";

const openHost = emptiedHost();

const HEADER = "appId,store,date,newDownloads,updateDownloads";
const FILE = `${HEADER}\napp_1,store_01,2026-01-15,3,4\napp_1,store_02,2026-01-15,5,6\n`;

const held = async ({ sql, schema }: Place) =>
  await orThrow(postgresDownloadsSource(sql, schema).read("app_1", "2000-01-01", "2999-12-31"));

/** Opens a host with the app that the files name. */
async function openCounts(): Promise<Place> {
  const place = await openHost();
  const app = {
    appId: "app_1",
    name: "Notes",
    accountBased: true,
    disabled: false,
    secrets: [],
    identityChecks: {
      email: true,
      phone: true,
      card: true,
      identityCard: true,
      walletAccount: true,
      bizNo: true,
    },
    gmtCreate: 0,
    gmtModified: 0,
  };
  await orThrow(postgresAppStore(place.sql, place.schema).insertOnce(app));
  return place;
}

/** Yields a file of `count` counts, in stores that `FILE` does not contain. */
function* linesOf(count: number): Generator<string> {
  yield `${HEADER}\n`;
  for (let index = 0; index < count; index += 1) {
    const date = new Date(Date.UTC(2020, 0, 1 + (index % 1_000))).toISOString().slice(0, 10);
    yield `app_1,many_${Math.floor(index / 1_000)},${date},1,1\n`;
  }
}

describe("downloads import", () => {
  it("imports a file, and changes nothing if the file is imported again", async () => {
    const place = await openCounts();
    const path = await place.file("counts.csv", FILE);
    expect(await place.ask(["downloads", "import", path])).toMatchObject({ written: 2, changed: 2 });
    expect(await place.tillkit(["downloads", "import", path])).toMatchObject({
      code: 0,
      stdout: "2 counts read: 0 days new, 0 changed, 2 unchanged.\n",
      stderr: "",
    });
    expect(await held(place)).toHaveLength(2);
  });

  it("imports the export of a store as it is, and the corrected counts of a later export", async () => {
    const place = await openCounts();
    const columns = "Date,Package Name,Daily Device Upgrades,Daily User Installs";
    const products = await place.file("products.json", '{"com.example.notes":"app_1"}');
    const asked = async (installs: number) => {
      const line = `2026-01-15,com.example.notes,4,${String(installs)}`;
      const content = Buffer.from(`\ufeff${columns}\n2026-01-14,com.example.notes,2,1\n${line}\n`, "utf16le");
      const path = join(place.folder, "installs.csv");
      await writeFile(path, content);
      return place.ask(["downloads", "import", path, "--preset", "google-play", "--products", products]);
    };
    expect(await asked(3)).toMatchObject({ written: 2, changed: 2 });
    expect(await asked(3)).toMatchObject({ written: 2, changed: 0 });
    expect(await asked(5)).toMatchObject({ written: 2, changed: 1 });
    expect(await held(place)).toMatchObject([
      { store: "Google Play", newDownloads: [1, 5], updateDownloads: [2, 4] },
    ]);
  });

  it("needs --app or --products with a preset", async () => {
    const place = await openCounts();
    const { code, stderr } = await place.tillkit(["downloads", "import", "x.csv", "--preset", "google-play"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--preset needs --app or --products.");
  });

  it("reads the counts from standard input, and the app from an option", async () => {
    const place = await openCounts();
    const input = "date,store,newDownloads,updateDownloads\r\n2026-01-15,store_01,3,4\r\n";
    const argv = ["downloads", "import", "-", "--app", "app_1"];
    expect(await place.ask(argv, { input })).toMatchObject({ written: 1, changed: 1 });
    expect(await held(place)).toMatchObject([{ store: "store_01", newDownloads: [3] }]);
  });

  it("names the wrong lines, counts them all and imports nothing, not even earlier batches", async () => {
    const place = await openCounts();
    const wrong = new Array<string>(30).fill("app_1,store_01,2026-01-32,1,1\n").join("");
    const input = [...linesOf(6_000), wrong].join("");
    const { code, stdout } = await place.tillkit(["downloads", "import", "-"], { input });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^Nothing was imported\. The file has 30 problems:\n {2}line 6002: Parameter date must be/,
    );
    const [, file = ""] = /\n10 more wrong lines: see (\S+)\.\n$/.exec(stdout) ?? [];
    onTestFinished(() => rm(dirname(file), { recursive: true }));
    expect((await readFile(file, "utf8")).split("\n")).toHaveLength(31);
    const errors = join(place.folder, "errors.txt");
    const document = await place.ask(["downloads", "import", "-", "--errors", errors], { input, code: 1 });
    expect(document).toMatchObject({ error: { name: "csv.invalid" }, problems: { total: 30, file: errors } });
    expect(await held(place)).toEqual([]);
  });

  it("accepts the day that has begun in the easternmost time zone, and no later day", async () => {
    const place = await openCounts();
    const input = (days: number) => {
      const date = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      return `${HEADER}\napp_1,store_01,${date},1,1\n`;
    };
    expect(await place.ask(["downloads", "import", "-"], { input: input(2), code: 1 })).toMatchObject({
      problems: { first: [{ line: 2, message: "the date is in the future" }] },
    });
    expect(await place.ask(["downloads", "import", "-"], { input: input(1) })).toMatchObject({ written: 1 });
  });

  it("imports nothing if an app does not exist, and prints which app and what to do", async () => {
    const place = await openCounts();
    const input = `${FILE}app_2,store_01,2026-01-15,1,1\napp_3,store_01,2026-01-15,1,1\n`;
    expect(await place.tillkit(["downloads", "import", "-"], { input })).toMatchObject({
      code: 1,
      stdout: "",
      stderr:
        "Nothing was stored. These apps do not exist: app_2, app_3. `tillkit apps list` lists all apps, and `tillkit apps create` registers one.\n",
    });
    const document = await place.ask(["downloads", "import", "-"], { input, code: 1 });
    expect(document).toMatchObject({ error: { name: "app.unknown", exitCode: 1 } });
    expect(await held(place)).toEqual([]);
  });

  it("reports a file that cannot be read", async () => {
    const { ask, folder } = await openCounts();
    const refused = await ask(["downloads", "import", `${folder}/none.csv`], { code: 3 });
    expect(refused).toMatchObject({ error: { name: "file.unreadable" } });
    const directory = await ask(["downloads", "import", folder], { code: 3 });
    expect(directory).toMatchObject({ error: { name: "file.unreadable" } });
    expect(JSON.stringify(directory)).toContain("is a folder");
  });

  it("reports an input that breaks off, and imports nothing", async () => {
    const place = await openCounts();
    const stdin = Readable.from(
      (function* () {
        yield* linesOf(6_000);
        throw new Error("the pipe broke");
      })(),
    );
    const refused = await place.ask(["downloads", "import", "-"], { stdin, code: 3 });
    expect(JSON.stringify(refused)).toContain("the pipe broke");
    expect(await held(place)).toEqual([]);
  });

  it("imports several batches, and shows a bar on a terminal", async () => {
    const place = await openCounts();
    const input = [...linesOf(6_000)].join("");
    const plain = await place.tillkit(["downloads", "import", "-"], { input });
    expect(plain).toMatchObject({ stderr: "" });
    expect(plain.stdout).toMatch(
      /^6000 counts read: 6000 days new, 0 changed, 0 unchanged\.\n {2}app_1 many_0 2020/,
    );
    const terminal = Object.assign(new PassThrough(), {
      isTTY: true,
      columns: 80,
      rows: 24,
      cursorTo: () => true,
    });
    const path = await place.file("counts.csv", FILE);
    const shown = text(terminal);
    await place.tillkit(["downloads", "import", path], { stderr: terminal });
    terminal.end();
    expect(await shown).toMatch(/0 % \| 0 counts/);
  });

  it("leaves nothing behind when its process is killed half-way", { tags: "slow" }, async () => {
    const place = await openCounts();
    const main = await builtProgram(new URL("../main.ts", import.meta.url));
    const child = spawn(process.execPath, [main, "downloads", "import", "-"], {
      env: { ...process.env, ...place.env },
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.stdin.on("error", () => undefined).write([...linesOf(150_000)].join(""));
    // The program reports progress once it has sent the counts in a transaction that is still open.
    const progress = await new Promise((resolve) => child.stderr.once("data", resolve));
    expect(String(progress)).toBe("100000 counts read\n");
    child.kill("SIGKILL");
    await ended;
    expect(await held(place)).toEqual([]);
    expect(await place.ask(["downloads", "import", "-"], { input: FILE })).toEqual({
      written: 2,
      changed: 2,
      added: 2,
      unchanged: 0,
      changes: {
        first: [
          { appId: "app_1", store: "store_01", date: "2026-01-15", newDownloads: 3, updateDownloads: 4 },
          { appId: "app_1", store: "store_02", date: "2026-01-15", newDownloads: 5, updateDownloads: 6 },
        ],
      },
    });
  });
});
