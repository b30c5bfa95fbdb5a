// Runs a program of `groups.json`: `npm run docs -- site --dev` runs the program `site` of `docs`
// with the argument `--dev`. Without a name, it runs the program with the empty name.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const [group = "", ...args] = process.argv.slice(2);
const programs = new Map(
  Object.entries(JSON.parse(readFileSync(new URL("groups.json", import.meta.url), "utf8"))[group]),
);
const [name = ""] = args;
const isNamed = !name.startsWith("-");
const program = programs.get(isNamed ? name : "");
if (program === undefined) {
  const names = [...programs.keys()].filter((one) => one !== "").join("|");
  console.error(`usage: npm run ${group} -- ${programs.has("") ? `[${names}]` : names} [argument …]`);
  process.exitCode = 1;
} else {
  const rest = isNamed ? args.slice(1) : args;
  const child = spawn(process.execPath, [...program.split(" "), ...rest], { stdio: "inherit" });
  // The terminal sends its interrupt to both processes.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}
