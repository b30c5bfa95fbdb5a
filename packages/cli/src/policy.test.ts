import { describe, expect, it } from "vitest";
import { openHost, openPlace, useDurableServer } from "./testing/cli.js";
import { newApp } from "./testing/fixture.js";

describe("the policy file", () => {
  useDurableServer();

  it("sets the limits of commands, by option or environment", async () => {
    const { ask, file, env } = await openHost();
    const app = await newApp(ask);
    const policy = await file("policy.json", JSON.stringify({ maxServiceNoLength: 4 }));
    const type = ["service-types", "create", "--app", app, "--name", "Month", "--days", "30", "--number"];
    await ask([...type, "12345"]);
    const limited = { error: { name: "parameter.invalid" } };
    expect(await ask([...type, "12346", "--policy-file", policy], { code: 2 })).toMatchObject(limited);
    const io = { env: { ...env, TILLKIT_POLICY_FILE: policy }, code: 2 };
    expect(await ask([...type, "12346"], io)).toMatchObject(limited);
  });

  it("is checked before anything else happens", async () => {
    const { ask, tillkit, file, env } = await openPlace();
    const broken = await file("policy.json", '{"orderTTL":1,"smsPerDay":-1}');
    const refund = ["orders", "refund", "--app", "a", "b", "--all", "--reason", "r", "--operator", "o"];
    const { code, stderr } = await tillkit(refund, { env: { ...env, TILLKIT_POLICY_FILE: broken } });
    expect(code).toBe(3);
    expect(stderr).toContain("orderTTL is not a known name; smsPerDay must be a whole number");
    const missing = ["apps", "list", "--policy-file", `${broken}.none`];
    expect(await ask(missing, { code: 3 })).toMatchObject({ error: { name: "policy.missing" } });
  });

  it("is a finding of the doctor if it is wrong", async () => {
    const { ask, file } = await openHost();
    const broken = await file("policy.json", "[]");
    expect(await ask(["doctor", "--policy-file", broken], { code: 1 })).toMatchObject({
      findings: [{ kind: "policy.invalid", subject: "policy file" }],
    });
  });
});
