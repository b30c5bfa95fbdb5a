import type { Schema } from "../api/routes.js";
import { useRead } from "../api/use-read.js";
import { useTexts } from "../language/catalogue.js";
import { Copyable } from "../ui/copyable.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Loaded } from "../ui/loaded.js";
import { Status } from "../ui/status.js";
import { Time } from "../ui/time.js";
import { AppActions, CreateApp } from "./app-actions.js";
import { SETUP_TEXTS } from "./messages.js";

type App = Schema<"App">;

/** The apps and their secrets. */
export function Apps() {
  const texts = useTexts(SETUP_TEXTS);
  const query = useRead("/api/setup/apps", {});
  const columns: readonly Column<App>[] = [
    { id: "name", place: "first", header: texts.name, cell: ({ name }) => name },
    { id: "id", place: "second", header: texts.id, cell: ({ appId }) => <Copyable text={appId} /> },
    {
      id: "state",
      place: "first-end",
      header: texts.state,
      cell: ({ disabled }) => (
        <Status tone={disabled ? "neutral" : "good"}>{disabled ? texts.disabled : texts.active}</Status>
      ),
    },
    {
      id: "secrets",
      place: "third",
      header: texts.secretState,
      cell: ({ secrets }) => (secrets.length === 1 ? texts.oneSecret : texts.secrets(secrets.length)),
    },
    {
      id: "created",
      place: "third",
      header: texts.created,
      cell: ({ gmtCreate }) => <Time at={gmtCreate} />,
    },
    {
      id: "actions",
      place: "fourth",
      isAction: true,
      header: texts.actions,
      cell: (app) => <AppActions app={app} />,
    },
  ];
  return (
    <>
      <CreateApp />
      <Loaded query={query}>
        {({ items }) => (
          <DataTable
            label={texts.apps}
            columns={columns}
            rows={items}
            empty={<p>{texts.noApps}</p>}
            rowId={({ appId }) => appId}
          />
        )}
      </Loaded>
    </>
  );
}
