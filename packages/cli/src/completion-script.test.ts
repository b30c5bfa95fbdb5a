import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openPlace } from "./testing/cli.js";

/** Returns what bash offers for the last word of a command line. */
async function offered(script: string, ...words: readonly string[]): Promise<readonly string[]> {
  const program = `${script}
COMP_WORDS=("$@")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_tillkit
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)("bash", ["-c", program, "bash", "tillkit", ...words]);
  return stdout.trim().split("\n");
}

describe("completion", () => {
  it("offers commands, options and values in bash", async () => {
    const { tillkit } = await openPlace();
    const { code, stdout } = await tillkit(["completion", "bash"]);
    expect(code).toBe(0);
    expect(await offered(stdout, "ap")).toEqual(["apps"]);
    expect(await offered(stdout, "apps", "")).toEqual(
      expect.arrayContaining(["create", "set", "rotate-secret"]),
    );
    expect(await offered(stdout, "apps", "create", "--without")).toEqual(["--without-accounts"]);
    expect(await offered(stdout, "orders", "find", "--app", "a", "--status", "P")).toEqual([
      "PENDING",
      "PAID",
    ]);
    expect(await offered(stdout, "refunds", "list", "--status", "W")).toEqual([
      "WAITING_FOR_FUNDS",
      "WITHDRAWN",
    ]);
    expect(await offered(stdout, "pay-tools", "set", "--keys-file", "package")).toContain("package.json");
    expect(await offered(stdout, "keys", "rotate", "pep")).toEqual(["peppers"]);
  });

  it("prints a script for each shell", async () => {
    const { tillkit } = await openPlace();
    expect((await tillkit(["completion", "zsh"])).stdout).toMatch(/^autoload .*bashcompinit\n_tillkit\(\)/);
    const { stdout } = await tillkit(["completion", "fish"]);
    expect(stdout).toContain(
      "complete -c tillkit -n '__tillkit_at \\'apps\\'' -f -a create -d 'Register an app",
    );
    expect(stdout).toContain("-l status -x -a 'PENDING PAID CLOSE REFUND'");
    expect((await tillkit(["completion", "tcsh"])).code).toBe(2);
  });
});
