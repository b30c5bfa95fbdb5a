import { orThrow, parseInput } from "@tillkit/core";
import { createOperator, createOperatorInput } from "@tillkit/core/operators";
import { chmod, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { memoryPorts } from "@tillkit/memory";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openPlace } from "../testing/cli.js";
import { codeAt, listen, openPage, PASSWORD, passwords } from "../testing/page-host.js";
import { containing, matching } from "../testing/text-matchers.js";

const enrolment = z.object({ key: z.string() });
const session = z.object({ csrfToken: z.string() });

/** Opens a host with a page, and a machine that has no session. */
async function aMachine(options: { readonly secondFactor: "required" | "optional" }) {
  const ports = memoryPorts();
  const page = await openPage(ports, options);
  const place = await openPlace();
  const env = { HOME: place.folder, XDG_CONFIG_HOME: join(place.folder, "config") };
  const sessions = join(place.folder, "config", "tillkit", "sessions");
  const run = (argv: readonly string[], input = "", more: object = {}) =>
    place.tillkit(argv, { env, input, ...more });
  const server = ["--server", page.url];
  const login = (input: string, ...argv: readonly string[]) =>
    run(["login", ...server, "--operator", "li", ...argv], input);
  const logout = () => run(["logout", ...server]);
  const files = async () => readdir(sessions).catch((): string[] => []);
  const stored = async () => {
    const [name = ""] = await files();
    return { path: join(sessions, name), text: await readFile(join(sessions, name), "utf8") };
  };
  const actions = async () =>
    (await orThrow(ports.auditLog.read(0, 1_000)))
      .map(({ action, outcome, operator }) => `${action} ${outcome} ${operator}`)
      .filter((entry) => entry.startsWith("session."));
  return { ...page, ports, place, env, run, server, login, logout, files, stored, actions };
}

/** Gives `li` a second factor on the page, and returns its key. */
async function enrol(url: string, now: () => number): Promise<string> {
  const send = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await fetch(`${url}/api/session${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "x-change-id": "an-id-of-this-test", ...headers },
    });
    const cookie = reply.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
    return { json: await reply.json(), cookie };
  };
  const opened = await send("", { name: "li", password: PASSWORD });
  const headers = { cookie: opened.cookie, "x-csrf-token": session.parse(opened.json).csrfToken };
  const { key } = enrolment.parse((await send("/enrolment", {}, headers)).json);
  await send("/enrolment/confirm", { code: codeAt(key, now()) }, headers);
  return key;
}

describe("login", () => {
  it("signs in with a password and a code, and keeps the session in a private file", async () => {
    const { url, ports, create, login, stored, actions, seen } = await aMachine({ secondFactor: "required" });
    await create("li", "support");
    const key = await enrol(url, () => ports.clock.now());
    ports.clock.advance(60_000);
    const before = seen.length;
    const code = codeAt(key, ports.clock.now());
    const { code: exit, stdout, stderr } = await login(`${PASSWORD}\n${code}\n`);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toContain(`You are signed in to ${url} as li (support).`);
    const { path, text } = await stored();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, ".."))).mode & 0o777).toBe(0o700);
    expect(await actions()).toContain("session.open done li");
    // Neither the secrets nor the session appear anywhere else.
    const kept = z.object({ cookie: z.string(), csrfToken: z.string() }).parse(JSON.parse(text));
    for (const secret of [PASSWORD, code, kept.cookie.split("=")[1] ?? "", kept.csrfToken]) {
      expect(stdout).not.toContain(secret);
      expect(seen.slice(before).map(({ path: asked }) => asked)).not.toContainEqual(containing(secret));
    }
    expect(text).not.toContain(PASSWORD);
    expect(text).not.toContain(code);
  });

  it("asks on the terminal without showing what is typed", async () => {
    const { create, run, server, files } = await aMachine({ secondFactor: "optional" });
    await create("li", "support");
    const modes: boolean[] = [];
    const stdin = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (on: boolean) => void modes.push(on),
    });
    stdin.write(`${PASSWORD}\r`);
    const ran = await run(["login", ...server, "--operator", "li"], "", { stdin });
    expect(ran).toMatchObject({ code: 0, stderr: "Password: \n" });
    expect(ran.stdout).not.toContain(PASSWORD);
    expect(modes).toEqual([true, false]);
    expect(await files()).toHaveLength(1);
  });

  it("can be interrupted on the terminal", async () => {
    const { create, run, server, files, actions } = await aMachine({ secondFactor: "optional" });
    await create("li", "support");
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    stdin.write("corr\u0003");
    const ran = await run(["login", ...server, "--operator", "li"], "", { stdin });
    expect(ran).toMatchObject({ code: 1, stderr: "Password: \nThe sign-in was interrupted.\n" });
    expect({ files: await files(), actions: await actions() }).toEqual({ files: [], actions: [] });
  });

  it("ends the session of the first step after a wrong code", async () => {
    const { url, ports, create, login, files, seen } = await aMachine({ secondFactor: "required" });
    await create("li", "support");
    await enrol(url, () => ports.clock.now());
    const { code, stderr } = await login(`${PASSWORD}\n000000\n`);
    expect({ code, stderr, files: await files() }).toEqual({
      code: 1,
      stderr: "Name, password or code is wrong.\n",
      files: [],
    });
    expect(seen.at(-1)).toMatchObject({ method: "DELETE", path: "/dashboard/api/session" });
    const missing = await login(`${PASSWORD}\n`);
    expect(missing).toMatchObject({ code: 2, stderr: containing("no line with the code") });
  });

  it("prints what is wrong with a password, and how long to wait", async () => {
    const { create, login, files } = await aMachine({ secondFactor: "optional" });
    await create("li", "support");
    for (let nth = 0; nth < 10; nth += 1)
      expect(await login("wrong password\n")).toMatchObject({
        code: 1,
        stderr: matching(/is wrong\.\n$/),
      });
    const limited = await login(`${PASSWORD}\n`);
    expect(limited.stderr).toMatch(/^Too many wrong attempts: try again in \d+ minutes\.\n$/);
    expect(await files()).toEqual([]);
  });

  it("sends an operator to the page who must set up a second factor or choose a password", async () => {
    const first = await aMachine({ secondFactor: "required" });
    await first.create("li", "support");
    const enrolling = await first.login(`${PASSWORD}\n`);
    expect(enrolling).toMatchObject({
      code: 1,
      stderr: matching(/^Set up your second factor on the page first/),
    });
    expect(first.seen.at(-1)).toMatchObject({ method: "DELETE" });
    const { ports, login, files } = await aMachine({ secondFactor: "optional" });
    const input = orThrow(parseInput(createOperatorInput(), { name: "li", role: "support" }));
    const by = { operator: "host", reason: "test", from: "host", traceId: "" };
    const made = await orThrow(createOperator({ ...ports, passwords }, input, by));
    const changing = await login(`${made.password ?? ""}\n`);
    expect(changing).toMatchObject({
      code: 1,
      stderr: matching(/^Choose another password on the page first/),
    });
    expect(await files()).toEqual([]);
  });

  it("replaces an earlier session, and the server knows the machine at the second login", async () => {
    const { create, login, actions, seen, files } = await aMachine({ secondFactor: "optional" });
    await create("li", "support");
    await login(`${PASSWORD}\n`);
    await login(`${PASSWORD}\n`);
    expect(await files()).toHaveLength(1);
    expect([...(await actions())].sort()).toEqual([
      "session.close done li",
      "session.open done li",
      "session.open done li",
    ]);
    const signIns = seen
      .filter(({ method }) => method === "POST")
      .map(({ headers }) => headers["cookie"] ?? "");
    expect(signIns).toEqual(["", matching(/^__Secure-tillkit-operator-device-/)]);
  });

  it("refuses addresses that are neither https nor local, and follows no redirect", async () => {
    const { url, run, login, create, server, origin, seen } = await aMachine({ secondFactor: "optional" });
    const secret = `${PASSWORD}\n`;
    const at = (address: string) => run(["login", "--server", address, "--operator", "li"], secret);
    for (const [address, text] of [
      ["http://pay.example/dashboard", /must begin with https/],
      ["http://127.0.0.1.pay.example", /must begin with https/],
      ["ftp://localhost", /must begin with https/],
      ["localhost:8081", /must begin with https/],
      ["https://li:hunter2@localhost/", /no user name/],
      ["page", /must be an address/],
      ["", /must be an address/],
    ] as const) {
      const ran = await at(address);
      expect(ran).toMatchObject({ code: 2, stderr: matching(text) });
      expect(ran.stderr).not.toContain("hunter2");
    }
    const elsewhere: string[] = [];
    const other = await listen((request, response) => {
      elsewhere.push(`${request.method ?? ""} ${request.headers.cookie ?? ""}`);
      response.end("{}");
    });
    const moved = await listen((_request, response) => {
      response.writeHead(307, { location: `${other}/dashboard/api/session?token=secret` }).end();
    });
    expect(await at(`${moved}/dashboard`)).toMatchObject({
      code: 1,
      stderr: containing(`redirects to ${other}/dashboard/api/session. The command did not follow`),
    });
    expect(elsewhere).toEqual([]);
    expect(await at(other)).toMatchObject({
      code: 4,
      stderr: matching(/is not the operators' page/),
    });
    expect(await at(origin)).toMatchObject({
      code: 4,
      stderr: matching(/is not the operators' page/),
    });
    expect(seen.filter(({ method }) => method === "POST")).toEqual([]);
    await create("li", "support");
    await login(secret);
    // The address is the same with a slash at its end.
    expect(await run(["logout", "--server", `${url}/`])).toMatchObject({
      code: 0,
      stdout: matching(/has ended/),
    });
    expect(await run(["logout", ...server])).toMatchObject({
      code: 0,
      stdout: matching(/You are not signed in/),
    });
  });

  it("does not read a session that others can read", async () => {
    const { create, login, stored, run, server } = await aMachine({ secondFactor: "optional" });
    await create("li", "support");
    await login(`${PASSWORD}\n`);
    const { path } = await stored();
    await chmod(path, 0o644);
    const ran = await run(["logout", ...server, "--json"]);
    expect(ran).toMatchObject({ code: 3, json: { error: { name: "file.exposed" } } });
  });
});

describe("logout", () => {
  it("ends the session at the server, and removes the file", async () => {
    const { create, login, logout, files, actions, stored, url } = await aMachine({
      secondFactor: "optional",
    });
    await create("li", "support");
    await login(`${PASSWORD}\n`);
    const { cookie } = z.object({ cookie: z.string() }).parse(JSON.parse((await stored()).text));
    expect(await logout()).toMatchObject({ code: 0, stdout: `The session of li at ${url} has ended.\n` });
    expect(await files()).toEqual([]);
    expect(await actions()).toContain("session.close done li");
    const answer = await fetch(`${url}/api/orders`, { headers: { cookie } });
    expect(answer.status).toBe(401);
  });

  it("removes the file of a session that has ended, and keeps it if the server does not answer", async () => {
    const { ports, create, login, logout, files, faults } = await aMachine({ secondFactor: "optional" });
    await create("li", "support");
    await login(`${PASSWORD}\n`);
    faults.fault = () => "lose-request";
    expect(await logout()).toMatchObject({
      code: 3,
      stderr: matching(/The session is still open/),
    });
    expect(await files()).toHaveLength(1);
    faults.fault = () => undefined;
    ports.clock.advance(13 * 3_600_000);
    expect(await logout()).toMatchObject({ code: 0 });
    expect(await files()).toEqual([]);
  });
});
