import { useState } from "react";
import type { Schema } from "../api/routes.js";
import { useChange } from "../api/use-change.js";
import { useRead } from "../api/use-read.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { serverTime } from "../language/server-time.js";
import { useMay, useSession } from "../session/session-context.js";
import { Copyable } from "../ui/copyable.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Field } from "../ui/field.js";
import { Loaded } from "../ui/loaded.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { Time } from "../ui/time.js";
import { AppChoice } from "./app-choice.js";
import { SETUP_TEXTS } from "./messages.js";
import { Overlap, overlapMs } from "./rotate-secret.js";
import { wholeNumber } from "./whole-number.js";

type Client = Schema<"DownloadsClient">;

/** The clients that may read the downloads report. */
export function Clients() {
  const texts = useTexts(SETUP_TEXTS);
  const language = useLanguage();
  const may = useMay();
  const { apps } = useSession();
  const names = new Map(apps.map(({ appId, name }) => [appId, name]));
  const query = useRead("/api/setup/downloads-clients", {});
  const columns: readonly Column<Client>[] = [
    { id: "id", place: "first", header: texts.id, cell: ({ clientId }) => <Copyable text={clientId} /> },
    { id: "app", place: "second", header: texts.app, cell: ({ appId }) => names.get(appId) ?? appId },
    {
      id: "limit",
      place: "first-end",
      header: texts.dailyLimit,
      isNumber: true,
      cell: ({ dailyLimit }) => formatNumber(dailyLimit, language),
    },
    {
      id: "created",
      place: "third",
      header: texts.created,
      cell: ({ gmtCreate }) => <Time at={gmtCreate} />,
    },
    {
      id: "state",
      place: "third-end",
      header: texts.state,
      cell: ({ endsAt }) => <ClientState endsAt={endsAt} />,
    },
    ...(may("downloads-client.limit")
      ? [
          {
            id: "actions",
            place: "fourth" as const,
            isAction: true,
            header: texts.actions,
            cell: clientActions,
          },
        ]
      : []),
  ];
  return (
    <>
      <CreateClient />
      <Loaded query={query}>
        {({ items }) => (
          <DataTable
            label={texts.clients}
            columns={columns}
            rows={items}
            empty={<p>{texts.noClients}</p>}
            rowId={({ clientId }) => clientId}
          />
        )}
      </Loaded>
    </>
  );
}

function ClientState({ endsAt }: { readonly endsAt: number | undefined }) {
  const texts = useTexts(SETUP_TEXTS);
  const now = serverTime();
  if (endsAt === undefined) return <>{texts.active}</>;
  if (endsAt <= now) return <>{texts.disabled}</>;
  return (
    <>
      {texts.worksUntil} <Time at={endsAt} />
    </>
  );
}

const clientActions = (client: Client) => (
  <div className="actions">
    <ChangeLimit client={client} />
    <EndClient client={client} />
  </div>
);

/** Replaces the id of a client, disables the client, or enables it again. */
function EndClient({ client: { clientId, endsAt } }: { readonly client: Client }) {
  const texts = useTexts(SETUP_TEXTS);
  const [overlap, setOverlap] = useState("24");
  const params = { path: { clientId } };
  const ofClient = "/api/setup/downloads-clients/{clientId}";
  const rotate = useChange(`${ofClient}/rotate`, params, (reason: string) => ({
    overlap: overlapMs(overlap),
    reason,
  }));
  const disable = useChange(`${ofClient}/disable`, params, (reason: string) => ({ reason }));
  const enable = useChange(`${ofClient}/enable`, params, (reason: string) => ({ reason }));
  const now = serverTime();
  return (
    <>
      {endsAt === undefined && (
        <ReasonDialog action={texts.rotateClient} title={texts.rotateClientTitle(clientId)} change={rotate}>
          <Overlap label={texts.previousIdWorks} value={overlap} onChange={setOverlap} />
          <p>{texts.rotateClientHelp}</p>
        </ReasonDialog>
      )}
      {(endsAt === undefined || endsAt > now) && (
        <ReasonDialog action={texts.disable} title={texts.disableClient(clientId)} change={disable}>
          <p>{texts.disableClientHelp}</p>
        </ReasonDialog>
      )}
      {endsAt !== undefined && (
        <ReasonDialog action={texts.enable} title={texts.enableClient(clientId)} change={enable}>
          <p>{texts.enableClientHelp}</p>
        </ReasonDialog>
      )}
    </>
  );
}

/** Changes how many requests a client may send on a day. */
function ChangeLimit({ client: { clientId, dailyLimit } }: { readonly client: Client }) {
  const texts = useTexts(SETUP_TEXTS);
  const [limit, setLimit] = useState(String(dailyLimit));
  const path = { clientId };
  const change = useChange("/api/setup/downloads-clients/{clientId}/limit", { path }, (reason: string) => ({
    dailyLimit: Number(limit),
    reason,
  }));
  return (
    <ReasonDialog
      action={texts.changeLimit}
      title={texts.changeLimitTitle(clientId)}
      change={change}
      onOpen={() => setLimit(String(dailyLimit))}
    >
      <Field
        label={texts.dailyLimit}
        help={texts.limitHelp}
        value={limit}
        onChange={setLimit}
        inputMode="numeric"
        validate={(typed) => (/^\d{1,11}$/.test(typed) ? null : texts.invalidLimit)}
        isRequired
      />
    </ReasonDialog>
  );
}

function CreateClient() {
  const texts = useTexts(SETUP_TEXTS);
  const may = useMay();
  const { apps } = useSession();
  const [chosen, setChosen] = useState<string>();
  const [limit, setLimit] = useState("1000");
  const appId = chosen ?? apps[0]?.appId ?? "";
  const create = useChange("/api/setup/downloads-clients", {}, (reason: string) => {
    return { appId, dailyLimit: wholeNumber(limit) ?? 0, reason };
  });
  if (!may("downloads-client.create") || appId === "") return null;
  return (
    <div className="toolbar">
      <ReasonDialog
        action={texts.createClient}
        confirm={texts.create}
        title={texts.createClient}
        change={create}
      >
        <AppChoice value={appId} onChange={setChosen} />
        <Field
          label={texts.dailyLimit}
          value={limit}
          onChange={setLimit}
          inputMode="numeric"
          validate={(typed) => (wholeNumber(typed) === undefined ? texts.invalidNumber : null)}
          isRequired
        />
      </ReasonDialog>
    </div>
  );
}
