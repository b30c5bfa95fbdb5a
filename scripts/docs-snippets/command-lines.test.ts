import { expect, it } from "vitest";
import { tillkitCommands } from "./command-lines.js";

it.each([
  ["npx tillkit apps create --name Notes   # one app", ["apps", "create", "--name", "Notes"]],
  ["DATA_DIR=data npx tillkit migrate", ["migrate"]],
  [
    `pass show secret | tillkit apps create --name 'My notes' -`,
    ["apps", "create", "--name", "My notes", "-"],
  ],
  [`npx tillkit orders \\\n  list --reason "a # b"`, ["orders", "list", "--reason", "a # b"]],
  ["npx tillkit reports month > 2026-10.csv", ["reports", "month"]],
  ["cd shop && npx tillkit doctor | cat", ["doctor"]],
])("tillkitCommands reads the command of %s", (line, words) => {
  expect(tillkitCommands(`echo 1\n${line}\n`)).toEqual([words]);
});

it("tillkitCommands finds no command in other lines", () => {
  expect(tillkitCommands("npm create tillkit\nnpm install tillkit\nPORT=1 npx tillkit-sandbox\n")).toEqual(
    [],
  );
});
