import { useState } from "react";
import { api, type Schema, valueOf } from "../api/client.js";
import { useTexts } from "../language/catalogue.js";
import { useMay } from "../session/session-context.js";
import { Field } from "../ui/field.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { SETUP_TEXTS } from "./messages.js";
import { useSetupChange } from "./queries.js";

/** Renames, retires or restores a service type. */
export function ServiceTypeActions({ type }: { readonly type: Schema<"ServiceType"> }) {
  const texts = useTexts(SETUP_TEXTS);
  const may = useMay();
  const { appId, serviceTypeNo, serviceName, retiredAt } = type;
  const [name, setName] = useState(serviceName);
  const params = { path: { appId, serviceTypeNo } };
  const rename = useSetupChange((reason: string) => {
    const body = { serviceName: name, reason };
    return valueOf(api.POST("/api/apps/{appId}/service-types/{serviceTypeNo}/rename", { params, body }));
  });
  const retire = useSetupChange((reason: string) =>
    valueOf(api.POST("/api/apps/{appId}/service-types/{serviceTypeNo}/retire", { params, body: { reason } })),
  );
  const restore = useSetupChange((reason: string) =>
    valueOf(
      api.POST("/api/apps/{appId}/service-types/{serviceTypeNo}/restore", { params, body: { reason } }),
    ),
  );
  return (
    <div className="actions">
      {may("service-type.rename") && (
        <ReasonDialog action={texts.rename} title={texts.renameTitle(serviceName)} change={rename}>
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
