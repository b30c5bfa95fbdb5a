import { errorCode } from "@tillkit/core/errors";
import { connectionReason } from "./connection-reason.js";
import {
  connectionLender,
  type ConnectionLenderOptions,
  type PgPool,
  type UseConnection,
} from "./pg-connections.js";
import type { NodeAddress } from "../sql/sql-client.js";

/** Options of {@link nodeLenders}. */
export interface NodeLenderOptions {
  /** Creates the pool of a node. `undefined` uses the coordinator. */
  readonly nodePool: (node: NodeAddress) => PgPool | undefined;
  readonly coordinator: UseConnection;
  readonly lending: ConnectionLenderOptions;
  /** Receives the error of a failed attempt to connect. Defaults to a warning of the process. */
  readonly onUnavailable?: ((node: NodeAddress, error: unknown) => void) | undefined;
  /** A clock in milliseconds. */
  readonly now?: () => number;
}

/** Gives callers connections to the nodes of a cluster. */
export interface NodeLenders {
  /** Returns the lender of a node, or the lender of the coordinator if the node has no pool. */
  readonly lenderOf: (node: NodeAddress) => UseConnection;
  /** Closes all pools. No pool is created afterwards. */
  readonly close: () => Promise<void>;
}

/** How long the coordinator replaces a node that cannot be reached, in milliseconds. */
const PAUSE = 10_000;

/**
 * The timeout for a connection to a node, in milliseconds. It is short, because the call can
 * continue with the coordinator.
 */
const CONNECT = 1_000;

/** Creates the {@link NodeLenders} of a client. Each node has one pool. */
export function nodeLenders({
  nodePool,
  coordinator,
  lending,
  onUnavailable = warn,
  now = () => performance.now(),
}: NodeLenderOptions): NodeLenders {
  const nodes = new Map<string, { readonly pool?: PgPool | undefined; readonly lend: UseConnection }>();
  const options = { ...lending, connectMs: Math.min(lending.connectMs, CONNECT) };
  let closed = false;

  const open = (node: NodeAddress) => {
    const pool = nodePool(node);
    if (pool === undefined) return { lend: coordinator };
    const own = connectionLender(pool, options);
    return {
      pool,
      lend: unlessUnavailable(own, coordinator, { now, report: (error) => onUnavailable(node, error) }),
    };
  };
  return {
    lenderOf: (node) => {
      const name = `${node.host}:${String(node.port)}`;
      const known = nodes.get(name);
      if (known !== undefined) return known.lend;
      // `pgClient` closes the coordinator's pool too, so its use fails with a clear error.
      if (closed) return coordinator;
      const opened = open(node);
      nodes.set(name, opened);
      return opened.lend;
    },
    close: async () => {
      closed = true;
      await Promise.all([...nodes.values()].map(async ({ pool }) => pool?.end()));
    },
  };
}

/**
 * Lends connections of `node`. Lends connections of `coordinator` while `node` cannot be reached.
 *
 * Only a failure before the first statement leads to the coordinator. After the first statement,
 * the outcome of a change may be unknown, so the work must not run again.
 */
function unlessUnavailable(
  node: UseConnection,
  coordinator: UseConnection,
  { now, report }: { readonly now: () => number; readonly report: (error: unknown) => void },
): UseConnection {
  let pausedUntil: number | undefined;
  return async (work) => {
    if (pausedUntil !== undefined && now() < pausedUntil) return coordinator(work);
    const isRetry = pausedUntil !== undefined;
    // One call tries the node again. The others continue with the coordinator meanwhile.
    if (isRetry) pausedUntil = now() + PAUSE;
    const call = { begun: false };
    try {
      return await node((connection, keep) => {
        call.begun = true;
        pausedUntil = undefined;
        return work(connection, keep);
      });
    } catch (error) {
      const isPaused = pausedUntil !== undefined;
      // A node that is no longer the primary would also refuse later changes.
      if (!call.begun || errorCode(error) === READ_ONLY) pausedUntil = now() + PAUSE;
      if (call.begun) throw error;
      // Calls that fail together report one error.
      if (isRetry || !isPaused) report(error);
      return coordinator(work);
    }
  };
}

/** The SQLSTATE of a change on a server that is not the primary. */
const READ_ONLY = "25006";

function warn({ host, port }: NodeAddress, error: unknown): void {
  process.emitWarning(
    `No connection to the node ${host}:${String(port)}: ${connectionReason(error)}. Its statements go through the coordinator.`,
    { code: "TILLKIT_NODE_UNAVAILABLE" },
  );
}
