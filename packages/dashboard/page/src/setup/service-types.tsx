import type { Schema } from "../api/routes.js";
import { useRead } from "../api/use-read.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useSession } from "../session/session-context.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Loaded } from "../ui/loaded.js";
import { Status } from "../ui/status.js";
import { Time } from "../ui/time.js";
import { AppChoice } from "./app-choice.js";
import { CreateServiceType } from "./create-service-type.js";
import { ServiceTypeActions } from "./service-type-actions.js";
import { SETUP_TEXTS } from "./messages.js";

const DAY = 24 * 60 * 60_000;

interface ServiceTypesProps {
  readonly app: string | undefined;
  readonly onApp: (app: string) => void;
}

/** The timed services that an app sells. */
export function ServiceTypes({ app, onApp }: ServiceTypesProps) {
  const texts = useTexts(SETUP_TEXTS);
  const language = useLanguage();
  const { apps } = useSession();
  const shown = app ?? apps[0]?.appId ?? "";
  const isKnown = apps.some(({ appId }) => appId === shown);
  const query = useRead("/api/setup/service-types", { query: { app: shown } }, { isEnabled: isKnown });
  const columns: readonly Column<Schema<"ServiceType">>[] = [
    { id: "name", place: "first", header: texts.name, cell: ({ serviceName }) => serviceName },
    {
      id: "no",
      place: "second",
      header: texts.serviceTypeNo,
      cell: ({ serviceTypeNo }) => <span className="mono">{serviceTypeNo}</span>,
    },
    {
      id: "duration",
      place: "second-end",
      header: texts.duration,
      isNumber: true,
      cell: ({ durationMs }) => texts.days(formatNumber(durationMs / DAY, language)),
    },
    {
      id: "created",
      place: "third",
      header: texts.created,
      cell: ({ gmtCreate }) => <Time at={gmtCreate} />,
    },
    {
      id: "state",
      place: "first-end",
      header: texts.state,
      cell: ({ retiredAt }) =>
        retiredAt === undefined ? (
          <Status tone="good">{texts.sold}</Status>
        ) : (
          <Status tone="neutral">{texts.retired}</Status>
        ),
    },
    {
      id: "actions",
      place: "fourth",
      isAction: true,
      header: texts.actions,
      cell: (type) => <ServiceTypeActions type={type} />,
    },
  ];
  return (
    <>
      <div className="toolbar">
        <AppChoice value={shown} onChange={onApp} />
        {isKnown && <CreateServiceType appId={shown} />}
      </div>
      {isKnown && (
        <Loaded query={query}>
          {({ items }) => (
            <DataTable
              label={texts.serviceTypes}
              columns={columns}
              rows={items}
              empty={<p>{texts.noServiceTypes}</p>}
              rowId={({ serviceTypeNo }) => serviceTypeNo}
            />
          )}
        </Loaded>
      )}
    </>
  );
}
