import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const root = new URL("../../../", import.meta.url);

function runProgram(...preload: readonly string[]) {
  const args = [
    "--conditions=@tillkit/source",
    "--import",
    "tsx",
    ...preload,
    "examples/embed-core/src/main.ts",
  ];
  return spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
}

it("does what it prints and exits with 0", () => {
  const { status, stdout, stderr } = runProgram();
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout.trimEnd().split("\n")).toHaveLength(7);
  expect(stdout).toContain("the wallet confirmed it: PAID");
  expect(stdout).toContain("granted the membership for purchase-1");
});

it("exits with another code when no notification can be verified", { tags: "slow" }, () => {
  const source = `import crypto from "node:crypto";
    import { syncBuiltinESMExports } from "node:module";
    crypto.timingSafeEqual = () => false;
    syncBuiltinESMExports();`;
  const { status, stdout, stderr } = runProgram(
    "--import",
    `data:text/javascript,${encodeURIComponent(source)}`,
  );
  expect(status).toBe(1);
  expect(stderr).toContain("notification.refused");
  expect(stdout).not.toContain("PAID");
});
