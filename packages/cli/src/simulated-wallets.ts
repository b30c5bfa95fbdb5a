import { PAY_CHANNELS, type PayChannel } from "@tillkit/core";
import { looksLikeProduction } from "@tillkit/runtime";
import type { Finding } from "./doctor-finding.js";
import type { Io } from "./io.js";
import { type DatabaseOptions, devGatewaysOf, type GatewayCommandOptions, placeOf } from "./settings.js";

/** The simulated wallets: as findings if this is probably a mistake, otherwise as notes. */
export interface SimulatedWallets {
  readonly notes: readonly string[];
  readonly findings: readonly Finding[];
}

/** One simulation, and how to end it. */
interface Simulation {
  readonly subject: string;
  readonly text: string;
  readonly fix: string;
}

const WALLET_NAMES = { WALLET_A: "WeChat Pay", WALLET_B: "Alipay" } as const;

/** Returns which wallets a host with these options and this environment simulates. */
export function simulatedWallets(
  io: Pick<Io, "env">,
  options: DatabaseOptions & GatewayCommandOptions,
): SimulatedWallets {
  const simulations = simulationsOf(io, options);
  const place = placeOf(options, io).unwrapOr(undefined);
  const databaseUrl = place?.kind === "server" ? place.url : undefined;
  if (!looksLikeProduction({ nodeEnv: io.env["NODE_ENV"], databaseUrl }))
    return { notes: simulations.map(({ text }) => text), findings: [] };
  return {
    notes: [],
    findings: simulations.map(({ subject, text, fix }) => ({
      kind: "simulated-wallet",
      subject,
      message: `NODE_ENV or the address of the database names production, but ${text}`,
      fix,
    })),
  };
}

function simulationsOf(io: Pick<Io, "env">, options: GatewayCommandOptions): readonly Simulation[] {
  const sandbox = {
    subject: "WALLETS",
    text: "WALLETS is sandbox: hosts simulate both wallets, and no customer pays real money.",
    fix: "Set WALLETS=live.",
  };
  const gateways = devGatewaysOf(options, io);
  return [
    ...(io.env["WALLETS"] === "sandbox" ? [sandbox] : []),
    ...PAY_CHANNELS.flatMap((channel) => ofGateway(channel, gateways[channel])),
  ];
}

function ofGateway(channel: PayChannel, gateway: string | undefined): readonly Simulation[] {
  // The gateway may have a password.
  const shown = gateway !== undefined && URL.canParse(gateway) ? new URL(gateway).origin : undefined;
  if (shown === undefined) return [];
  const letter = channel === "WALLET_A" ? "A" : "B";
  return [
    {
      subject: channel,
      text: `DEV pay tools of ${channel} call ${shown}, not ${WALLET_NAMES[channel]}: no customer pays real money with them.`,
      fix: `Unset TILLKIT_WALLET_${letter}_GATEWAY, or do not set --wallet-${letter.toLowerCase()}-gateway.`,
    },
  ];
}
