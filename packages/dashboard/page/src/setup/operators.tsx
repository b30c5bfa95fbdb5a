import type { Schema } from "../api/routes.js";
import { useRead } from "../api/use-read.js";
import { useTexts } from "../language/catalogue.js";
import { useSession } from "../session/session-context.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Loaded } from "../ui/loaded.js";
import { Status } from "../ui/status.js";
import { ROLE_TEXTS } from "../session/role-names.js";
import { SETUP_TEXTS } from "./messages.js";
import { CreateOperator } from "./create-operator.js";
import { OperatorActions } from "./operator-actions.js";

type Account = Schema<"OperatorAccount">;

/** The accounts of operators, their roles and their second factors. */
export function Operators() {
  const texts = useTexts(SETUP_TEXTS);
  const roles = useTexts(ROLE_TEXTS);
  const { operator, apps: known } = useSession();
  const names = new Map(known.map(({ appId, name }) => [appId, name]));
  const query = useRead("/api/operators", {});
  const columns: readonly Column<Account>[] = [
    {
      id: "name",
      place: "first",
      header: texts.name,
      cell: ({ name }) => (name === operator?.name ? `${name} (${texts.you})` : name),
    },
    { id: "role", place: "second", header: texts.role, cell: ({ role }) => roles[role] },
    {
      id: "apps",
      place: "third",
      header: texts.apps,
      cell: ({ apps }) =>
        apps === undefined ? texts.allApps : apps.map((id) => names.get(id) ?? id).join(", "),
    },
    {
      id: "factor",
      place: "second-end",
      header: texts.secondFactor,
      cell: ({ hasSecondFactor }) => (
        <Status tone={hasSecondFactor ? "good" : "waiting"}>
          {hasSecondFactor ? texts.has : texts.hasNot}
        </Status>
      ),
    },
    {
      id: "state",
      place: "first-end",
      header: texts.state,
      cell: ({ disabled }) => (
        <Status tone={disabled ? "neutral" : "good"}>{disabled ? texts.disabled : texts.active}</Status>
      ),
    },
    {
      id: "actions",
      isAction: true,
      place: "fourth",
      header: texts.actions,
      // An administrator must not lock themselves out.
      cell: (account) => account.name !== operator?.name && <OperatorActions account={account} />,
    },
  ];
  return (
    <>
      <CreateOperator />
      <Loaded query={query}>
        {({ items }) => (
          <DataTable
            label={texts.operators}
            columns={columns}
            rows={items}
            empty={<p>{texts.noOperators}</p>}
            rowId={({ name }) => name}
          />
        )}
      </Loaded>
    </>
  );
}
