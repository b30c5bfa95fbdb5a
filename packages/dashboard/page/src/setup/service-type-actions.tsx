import { useState } from "react";
import type { Schema } from "../api/routes.js";
import { useChange } from "../api/use-change.js";
import { useTexts } from "../language/catalogue.js";
import { useMay } from "../session/session-context.js";
import { Field } from "../ui/field.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { SETUP_TEXTS } from "./messages.js";

/** Renames, retires or restores a service type. */
export function ServiceTypeActions({ type }: { readonly type: Schema<"ServiceType"> }) {
  const texts = useTexts(SETUP_TEXTS);
  const may = useMay();
  const { appId, serviceTypeNo, serviceName, retiredAt } = type;
  const [name, setName] = useState(serviceName);
  const params = { path: { appId, serviceTypeNo } };
  const rename = useChange(
    "/api/apps/{appId}/service-types/{serviceTypeNo}/rename",
    params,
    (reason: string) => {
      return { serviceName: name, reason };
    },
  );
  const retire = useChange(
    "/api/apps/{appId}/service-types/{serviceTypeNo}/retire",
    params,
    (reason: string) => ({ reason }),
  );
  const restore = useChange(
    "/api/apps/{appId}/service-types/{serviceTypeNo}/restore",
    params,
    (reason: string) => ({ reason }),
  );
  return (
    <div className="actions">
      {may("service-type.rename") && (
        <ReasonDialog
          action={texts.rename}
          title={texts.renameTitle(serviceName)}
          change={rename}
          onOpen={() => setName(serviceName)}
        >
          <Field label={texts.name} value={name} onChange={setName} maxLength={64} isRequired />
        </ReasonDialog>
      )}
      {may("service-type.retire") && retiredAt === undefined && (
        <ReasonDialog action={texts.retire} title={texts.retireTitle(serviceName)} change={retire}>
          <p>{texts.retireHelp}</p>
        </ReasonDialog>
      )}
      {may("service-type.restore") && retiredAt !== undefined && (
        <ReasonDialog action={texts.restore} title={texts.restoreTitle(serviceName)} change={restore} />
      )}
    </div>
  );
}
