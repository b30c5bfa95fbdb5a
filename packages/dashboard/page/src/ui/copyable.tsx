import { useState } from "react";
import { Button } from "react-aria-components";
import { useTexts } from "../language/catalogue.js";
import { Icon } from "./icon.js";
import { UI_TEXTS } from "./messages.js";

/** A text with a button that copies it. The button is missing where the browser cannot copy. */
export function Copyable({ text }: { readonly text: string }) {
  const texts = useTexts(UI_TEXTS);
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => setCopied(true));
  };
  return (
    <span className="copyable">
      <span className="mono">{text}</span>
      {"clipboard" in navigator && (
        <Button
          className="icon-button"
          aria-label={`${isCopied ? texts.copied : texts.copy}: ${text}`}
          onPress={copy}
          onBlur={() => setCopied(false)}
        >
          <Icon name={isCopied ? "check" : "copy"} />
        </Button>
      )}
    </span>
  );
}
