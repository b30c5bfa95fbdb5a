import type { Schema } from "../api/routes.js";
import { useRead } from "../api/use-read.js";
import { useTexts } from "../language/catalogue.js";
import { useMay, useSession } from "../session/session-context.js";
import { useChannelName } from "../ui/channel.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Loaded } from "../ui/loaded.js";
import { Status } from "../ui/status.js";
import { Time } from "../ui/time.js";
import { ChangePayTool } from "./change-pay-tool.js";
import { SETUP_TEXTS } from "./messages.js";

type PayTool = Schema<"PayToolSetup">;

/** The merchants of the wallets, and when their keys end. */
export function PayTools() {
  const texts = useTexts(SETUP_TEXTS);
  const may = useMay();
  const { apps } = useSession();
  const channelName = useChannelName();
  const names = new Map(apps.map(({ appId, name }) => [appId, name]));
  const query = useRead("/api/setup/pay-tools", {});
  const columns: readonly Column<PayTool>[] = [
    { id: "app", place: "first", header: texts.app, cell: ({ appId }) => names.get(appId) ?? appId },
    {
      id: "channel",
      place: "second",
      header: texts.channel,
      cell: ({ payChannel }) => channelName(payChannel),
    },
    {
      id: "account",
      place: "third",
      header: texts.account,
      cell: ({ accountId }) => <span className="mono">{accountId}</span>,
    },
    { id: "environment", place: "second-end", header: texts.environment, cell: ({ appEnv }) => appEnv },
    {
      id: "current",
      place: "first-end",
      header: texts.state,
      cell: ({ isCurrent, signStatus, problems }) => (
        <>
          <Status tone={isCurrent ? "good" : "neutral"}>{isCurrent ? texts.current : texts.replaced}</Status>{" "}
          {signStatus === "NO" && <Status tone="bad">{texts.notSigned}</Status>}
          {problems.map(({ code, text }) => (
            <p key={code}>{text}</p>
          ))}
        </>
      ),
    },
    {
      id: "credentials",
      place: "fourth",
      header: texts.credentials,
      cell: ({ credentials, walletOptions }) => (
        <>
          <Credentials credentials={credentials} />
          {walletOptions !== undefined && (
            <p>
              {texts.walletOptions}: <span className="mono">{JSON.stringify(walletOptions)}</span>
            </p>
          )}
        </>
      ),
    },
    ...(may("pay-tool.change")
      ? [
          {
            id: "actions",
            place: "fourth" as const,
            isAction: true,
            header: texts.actions,
            cell: changeAction,
          },
        ]
      : []),
  ];
  return (
    <Loaded query={query}>
      {({ items }) => (
        <DataTable
          label={texts.payTools}
          columns={columns}
          rows={items}
          empty={<p>{texts.noPayTools}</p>}
          rowId={({ id }) => id}
        />
      )}
    </Loaded>
  );
}

const changeAction = (tool: PayTool) => <ChangePayTool tool={tool} />;

/** The credentials that expire. Renders nothing if no credential expires. */
function Credentials({ credentials }: Pick<PayTool, "credentials">) {
  const expiring = credentials.flatMap(({ name, expiresAt }) =>
    expiresAt === undefined ? [] : [{ name, expiresAt }],
  );
  if (expiring.length === 0) return null;
  return (
    <ul className="plain">
      {expiring.map(({ name, expiresAt }) => (
        <li key={name}>
          {name}: <Time at={expiresAt} part="date" />
        </li>
      ))}
    </ul>
  );
}
