import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { inspectNodes } from "./inspect-nodes.js";
import type { NodeAddress, SqlClient, SqlRow } from "../../sql/sql-client.js";

/** A client that answers each statement by its name with rows or an error. */
function fakeClient(answers: Readonly<Record<string, readonly SqlRow[] | Error>>) {
  let closed = 0;
  const sql: SqlClient = {
    query: async ({ name }) => {
      // A name ends with a digest of the statement.
      const answer = answers[name.replace(/_[0-9a-f]{16}$/, "")] ?? new Error(`No answer for ${name}.`);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    script: () => Promise.reject(new Error("A check runs no script.")),
    transaction: () => Promise.reject(new Error("A check needs no transaction.")),
    close: async () => void (closed += 1),
  };
  return { sql, closed: () => closed };
}

const worker = (port: number, synced = true) => ({ host: "worker", port, group_id: port, synced });
const coordinatorOf = (...workers: readonly SqlRow[]) =>
  fakeClient({ distribution_extension: [{ present: true }], node_workers: workers }).sql;

/** Checks workers whose servers give these answers. Returns the findings as `kind node`. */
async function findings(workers: readonly (readonly [row: SqlRow, answer: SqlRow | Error])[]) {
  const opened = new Map<number, ReturnType<typeof fakeClient>>();
  const open = ({ port }: NodeAddress) => {
    const [, answer] = workers.find(([row]) => row["port"] === port) ?? [];
    const client = fakeClient({ node_state: answer instanceof Error ? answer : [answer ?? {}] });
    opened.set(port, client);
    return client.sql;
  };
  const found = (await expectOk(inspectNodes(coordinatorOf(...workers.map(([row]) => row)), open))) ?? [];
  expect([...opened.values()].map(({ closed }) => closed())).toEqual([...opened].map(() => 1));
  return { found, ports: [...opened.keys()] };
}

it("inspectNodes finds nothing on workers that match the catalogue", async () => {
  const sound = (port: number) => [worker(port), { group_id: port, standby: false }] as const;
  expect(await findings([sound(1), sound(2)])).toEqual({ found: [], ports: [1, 2] });
});

it("inspectNodes reports why a worker cannot be reached, and still checks the others", async () => {
  const refused = new AggregateError([new Error("connect ECONNREFUSED\n10.0.0.1:5432")], "");
  const { found } = await findings([
    [worker(1), refused],
    [worker(2), { group_id: 2, standby: true }],
  ]);
  expect(found).toMatchObject([
    { kind: "unreachable-node", subject: "worker:1" },
    { kind: "standby-node", subject: "worker:2" },
  ]);
  expect(found[0]?.message).toContain("connect ECONNREFUSED 10.0.0.1:5432");
});

it("inspectNodes finds an address that leads to another server of the cluster, or to a server without Citus", async () => {
  const { found } = await findings([
    [worker(1), { group_id: 0, standby: false }],
    [
      worker(2),
      Object.assign(new Error('relation "pg_catalog.pg_dist_local_group" does not exist'), { code: "42P01" }),
    ],
  ]);
  expect(found.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
    "wrong-node worker:1",
    "wrong-node worker:2",
  ]);
});

it("inspectNodes reports why no client of a worker was created, and still checks the others", async () => {
  const open = ({ port }: NodeAddress) => {
    if (port === 1) throw new Error("The password is missing.");
    return fakeClient({ node_state: [{ group_id: 0, standby: false }] }).sql;
  };
  const found = await expectOk(inspectNodes(coordinatorOf(worker(1), worker(2)), open));
  expect(found?.map(({ kind }) => kind)).toEqual(["unreachable-node", "wrong-node"]);
  expect(found?.[0]?.message).toContain("The password is missing. Statements");
});

it("inspectNodes does not connect to a worker without a current catalogue, as hosts do not connect to it directly", async () => {
  const { found, ports } = await findings([[worker(1, false), { group_id: 1, standby: false }]]);
  expect(found).toMatchObject([{ kind: "unsynced-node", subject: "worker:1" }]);
  expect(ports).toEqual([]);
});

it("inspectNodes returns undefined for a server without Citus, and fails if the coordinator does not answer", async () => {
  const open = () => {
    throw new Error("There is no node.");
  };
  expect(
    await expectOk(inspectNodes(fakeClient({ distribution_extension: [{ present: false }] }).sql, open)),
  ).toBeUndefined();
  const cause = new Error("connection lost");
  expect(await expectFailure(inspectNodes(fakeClient({ distribution_extension: cause }).sql, open))).toEqual({
    name: "storage.unavailable",
    cause,
  });
});
