import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseEnv } from "node:util";
import { orThrow } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { readConfig, VARIABLES } from "./config.js";

const complete = {
  PUBLIC_URL: "https://pay.example.com/",
  DATABASE_URL: "postgres://host:db-secret@db.example/pay",
  TILLKIT_KEYS_FILE: "/etc/tillkit/keyring.json",
  WALLETS: "sandbox",
};

describe("readConfig", () => {
  it("needs four variables and has defaults for the others", () => {
    expect(orThrow(readConfig(complete))).toMatchObject({
      api: { host: "0.0.0.0", port: 8080, trustProxy: 0 },
      admin: { host: "127.0.0.1", port: 9090, trustProxy: 0 },
      publicUrl: "https://pay.example.com",
      database: { schema: "tillkit", poolMax: 10 },
      drainDelay: 5_000,
      shutdownDeadline: 20_000,
    });
    expect(orThrow(readConfig(complete))).not.toHaveProperty("sms");
  });

  it("treats an empty variable as absent", () => {
    expect(readConfig({ ...complete, PORT: "", SMS_GATEWAY_URL: "" }).isOk()).toBe(true);
  });

  it("reads the number of workers, which is 1 by default", () => {
    const workers = (given: Record<string, string>) => readConfig({ ...complete, WALLETS: "live", ...given });
    expect(orThrow(workers({})).workers).toBe(1);
    expect(orThrow(workers({ WORKERS: "4" })).workers).toBe(4);
    expect(orThrow(workers({ WORKERS: "auto" })).workers).toBe(availableParallelism());
    for (const wrong of ["0", "1000", "-1", "two"])
      expect(workers({ WORKERS: wrong })._unsafeUnwrapErr()).toEqual([
        "WORKERS must be auto or a whole number from 1 to 999.",
      ]);
  });

  it("refuses several workers with the sandbox, which is in one process", () => {
    expect(readConfig({ ...complete, WORKERS: "1" }).isOk()).toBe(true);
    expect(readConfig({ ...complete, WORKERS: "2" })._unsafeUnwrapErr()).toEqual([
      "WORKERS must be 1 if WALLETS is sandbox: the sandbox keeps its payments in one process.",
    ]);
  });

  it("calls a sandbox in its own process for DEV pay tools, with any number of workers", () => {
    const gateways = {
      TILLKIT_WALLET_A_GATEWAY: "http://127.0.0.1:4001",
      TILLKIT_WALLET_B_GATEWAY: "https://sandbox.example/gateway.do",
    };
    const live = { ...complete, WALLETS: "live", WORKERS: "2", ...gateways };
    expect(orThrow(readConfig(live)).gateways).toEqual({
      WALLET_A: { DEV: "http://127.0.0.1:4001" },
      WALLET_B: { DEV: "https://sandbox.example/gateway.do" },
    });
    expect(readConfig({ ...complete, ...gateways })._unsafeUnwrapErr()).toEqual([
      "TILLKIT_WALLET_A_GATEWAY is for WALLETS=live: with WALLETS=sandbox, DEV pay tools call the sandbox of the host.",
      "TILLKIT_WALLET_B_GATEWAY is for WALLETS=live: with WALLETS=sandbox, DEV pay tools call the sandbox of the host.",
    ]);
    const open = { ...live, TILLKIT_WALLET_A_GATEWAY: "http://sandbox.example" };
    expect(readConfig(open)._unsafeUnwrapErr()).toEqual([
      "TILLKIT_WALLET_A_GATEWAY must be an https:// address, or an http:// address on 127.0.0.1.",
    ]);
  });

  it("returns all problems at once, each in one line and without a value", () => {
    const secrets = ["mysql://host:db-secret@db.example/pay", "token-secret", "ftp://sms.example"];
    const problems = readConfig({
      NODE_ENV: "production",
      PORT: "http",
      ADMIN_PORT: "65536",
      PUBLIC_URL: "http://pay.example.com",
      DATABASE_URL: secrets[0],
      DATABASE_POOL_MAX: "0",
      WALLETS: "sandbox",
      SMS_GATEWAY_TOKEN: secrets[1],
      LOG_LEVEL: "loud",
    })._unsafeUnwrapErr();
    expect(problems).toEqual([
      "PORT must be a whole number from 0 to 65535.",
      "ADMIN_PORT must be a whole number from 0 to 65535.",
      "DATABASE_URL must be a postgres:// address.",
      "DATABASE_POOL_MAX must be a whole number of connections from 1 to 500.",
      "TILLKIT_KEYS_FILE is missing: it must be the path of the key file.",
      "LOG_LEVEL must be debug or info or warn or error.",
      "WALLETS must be live if NODE_ENV is production: in the sandbox any caller can mark an order as paid.",
      "PUBLIC_URL must start with https:// if NODE_ENV is production.",
      "Only one of SMS_GATEWAY_URL and SMS_GATEWAY_TOKEN is set: set both, or neither for a host without SMS login.",
    ]);
    for (const secret of secrets) expect(problems.join("\n")).not.toContain(secret);
  });

  it("refuses an SMS gateway together with a file of SMS carriers", () => {
    const gateway = { SMS_GATEWAY_URL: "https://sms.example/send", SMS_GATEWAY_TOKEN: "token-secret" };
    const SMS_CARRIERS_FILE = "/etc/tillkit/sms.json";
    expect(readConfig({ ...complete, ...gateway, SMS_CARRIERS_FILE })._unsafeUnwrapErr()).toEqual([
      "SMS_GATEWAY_URL and SMS_CARRIERS_FILE are both set: set only one of them.",
    ]);
    expect(orThrow(readConfig({ ...complete, ...gateway }))).not.toHaveProperty("smsCarriersFile");
    const carriers = orThrow(readConfig({ ...complete, SMS_CARRIERS_FILE }));
    expect(carriers).toMatchObject({ smsCarriersFile: SMS_CARRIERS_FILE });
    expect(carriers).not.toHaveProperty("sms");
  });

  it("refuses a gateway with which no message could be sent", () => {
    const url = "https://user:gateway-secret@sms.example/send";
    const variables = { ...complete, SMS_GATEWAY_URL: url, SMS_GATEWAY_TOKEN: "token-secret\n" };
    const problems = readConfig(variables)._unsafeUnwrapErr();
    expect(problems).toEqual([
      "SMS_GATEWAY_TOKEN must be a bearer token of visible ASCII characters.",
      "SMS_GATEWAY_URL must not contain a user or a password: the host sends SMS_GATEWAY_TOKEN.",
    ]);
    expect(problems.join()).not.toMatch(/gateway-secret|token-secret/);
  });

  it("allows the sandbox's controls only on a loopback address", () => {
    expect(readConfig({ ...complete, ADMIN_HOST: "0.0.0.0" })._unsafeUnwrapErr()).toEqual([
      "ADMIN_HOST must be 127.0.0.1 if WALLETS is sandbox: the admin port then serves the sandbox controls without a password.",
    ]);
  });
});

describe(".env.example", () => {
  it("contains all variables and no others, with values that configure a host for production", () => {
    const file = readFileSync(new URL("../../../examples/production/.env.example", import.meta.url), "utf8");
    const variables = parseEnv(file);
    expect(Object.keys(variables).sort()).toEqual([...VARIABLES].sort());
    expect(orThrow(readConfig(variables))).toMatchObject({ wallets: "live" });
  });
});
