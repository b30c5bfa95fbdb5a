import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace } from "./testing/cli.js";

const control = "http://127.0.0.1:3001/sandbox";

it("names the development host of the folder to a command without settings", async () => {
  const { tillkit, file, folder } = await openPlace();
  const hostFile = join(folder, "host.json");
  const io = { env: {}, hostFile };
  const commands = [["orders", "list"], ["orders", "find", "--id", "x"], ["doctor"]];
  const said = async () => {
    const runs = await Promise.all(commands.map((argv) => tillkit(argv, io)));
    for (const { code } of runs) expect(code).toBe(2);
    return runs.map(({ stderr }) => stderr);
  };
  for (const content of [undefined, "{", "{}", JSON.stringify({ sandbox: { control: "none" } })]) {
    if (content !== undefined) await file("host.json", content);
    for (const stderr of await said()) {
      expect(stderr).toMatch(/No (key file|database) is set/);
      expect(stderr).not.toContain("development host");
    }
  }
  for (const [facts, server] of [
    [{ sandbox: { control } }, "http://127.0.0.1:3001/dashboard"],
    [
      { sandbox: { control }, dashboard: { url: "http://127.0.0.1:9/ops", user: "x" } },
      "http://127.0.0.1:9/ops",
    ],
  ] as const) {
    await file("host.json", JSON.stringify(facts));
    for (const stderr of await said()) {
      expect(stderr).toContain(`A development host uses this folder: add \`--server ${server}\`.`);
      expect(stderr).toContain(`DATA_DIR=${folder} and TILLKIT_KEYS_FILE=${join(folder, "keys.json")}`);
    }
  }
});
