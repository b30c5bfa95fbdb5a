import { useTexts } from "../language/catalogue.js";
import { Copyable } from "../ui/copyable.js";
import { SETUP_TEXTS } from "./messages.js";

/** The id of an app, which its requests need beside the secret. */
export function AppId({ appId }: { readonly appId: string }) {
  const texts = useTexts(SETUP_TEXTS);
  return (
    <dl className="facts">
      <div>
        <dt>{texts.appId}</dt>
        <dd>
          <Copyable text={appId} />
        </dd>
      </div>
    </dl>
  );
}
