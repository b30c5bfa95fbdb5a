import { readNodeSettings } from "./node-settings.js";
import { type DistributionStep, planDistribution } from "./plan-distribution.js";
import { type FoundDistribution, readDistribution } from "../../cluster/read-distribution.js";
import type { SchemaFinding } from "../../rights/schema-finding.js";
import type { SqlQueries } from "../../sql/sql-client.js";

/**
 * Returns the differences between the distribution of `schema` and the result of `distribute`.
 *
 * Reports nothing for a database without the extension citus, and for a cluster without workers in
 * which no table is distributed. Settings are read only if `application` is given.
 */
export async function distributionFindings(
  sql: SqlQueries,
  schema: string,
  application: string | undefined,
): Promise<readonly SchemaFinding[]> {
  const found = await readDistribution(sql, schema);
  if (found === undefined || !isUsed(found)) return [];
  const { steps, conflicts } = planDistribution(found, { schema });
  const nodes = found.nodes.filter(({ active }) => !active).map(({ name }) => inactiveNode(name));
  const settings = application === undefined ? [] : await settingFindings(sql, application);
  return [...nodes, ...conflicts, ...stepFindings(steps), ...settings];
}

function isUsed({ nodes, tables }: FoundDistribution): boolean {
  return (
    nodes.some(({ coordinator }) => !coordinator) ||
    Object.values(tables).some(({ kind }) => kind !== "local")
  );
}

const RUN_DISTRIBUTE = "Run `tillkit distribute` as the owner of the tables.";

function stepFindings(steps: readonly DistributionStep[]): readonly SchemaFinding[] {
  const moved = steps.filter(({ action }) => action === "reference" || action === "distribute");
  const left = steps.filter(
    ({ action, subject }) => action === "clear" && moved.every((step) => step.subject !== subject),
  );
  return [
    ...moved.map(({ action, subject }) => ({
      kind: "not-distributed" as const,
      subject,
      message:
        action === "reference"
          ? `The table ${subject} is not a reference table: statements that use it together with other tables run on the coordinator or fail.`
          : `The table ${subject} is not distributed: all its rows are on the coordinator.`,
      fix: RUN_DISTRIBUTE,
    })),
    ...left.map(({ subject }) => ({
      kind: "local-rows" as const,
      subject,
      message: `The coordinator keeps rows of ${subject} from before its distribution. They use space, and no statement sees them.`,
      fix: RUN_DISTRIBUTE,
    })),
  ];
}

function inactiveNode(name: string): SchemaFinding {
  return {
    kind: "inactive-node",
    subject: name,
    message: `The node ${name} is inactive: statements on its shards fail.`,
    fix: `Start the node, and activate it: select citus_activate_node(…); see \`select * from pg_dist_node\`.`,
  };
}

async function settingFindings(sql: SqlQueries, application: string): Promise<readonly SchemaFinding[]> {
  const nodes = await readNodeSettings(sql, application);
  return nodes.flatMap(({ node, unknown, hasRole, missing }): readonly SchemaFinding[] => {
    if (unknown !== undefined)
      return [
        {
          kind: "inactive-node",
          subject: node,
          message: `The settings of the role ${application} on ${node} cannot be read: ${unknown.replace(/\s+/g, " ")}`,
          fix: "Check that the node runs, and that the coordinator can connect to it with this role.",
        },
      ];
    if (!hasRole)
      return [
        {
          kind: "missing-role",
          subject: node,
          message: `The role ${application} does not exist on ${node}: statements of hosts fail there.`,
          fix: "Create the role on this node with the same name.",
        },
      ];
    if (missing.length === 0) return [];
    return [
      {
        kind: "missing-setting",
        subject: node,
        message: `The role ${application} lacks server settings on ${node}: ${missing.map(([name, value]) => `${name} = ${value}`).join(", ")}. Statements there may read whole tables or run without a time limit.`,
        fix: `Run \`tillkit distribute --application ${application}\`.`,
      },
    ];
  });
}
