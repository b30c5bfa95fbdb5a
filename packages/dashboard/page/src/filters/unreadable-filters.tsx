import { useTexts } from "../language/catalogue.js";
import { Icon } from "../ui/icon.js";
import { FILTER_TEXTS } from "./messages.js";

/** The notice instead of the list if a filter cannot be read. */
export function UnreadableFilters() {
  const texts = useTexts(FILTER_TEXTS);
  return (
    <div className="failure" role="alert">
      <p>
        <Icon name="alert" /> {texts.unreadable}
      </p>
    </div>
  );
}
