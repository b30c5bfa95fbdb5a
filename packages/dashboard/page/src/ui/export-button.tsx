import { Button } from "react-aria-components";
import { type FileQuery, useFile } from "../api/use-file.js";
import { dayOf } from "../language/business-day.js";
import { useTexts } from "../language/catalogue.js";
import { serverTime } from "../language/server-time.js";
import { useSession } from "../session/session-context.js";
import { Failure } from "./failure.js";
import { UI_TEXTS } from "./messages.js";
import { saveFile } from "./save-file.js";

interface ExportButtonProps {
  /** The path of the file below the mount path, such as `/api/orders.csv`. */
  readonly path: string;
  /** The filter of the list. */
  readonly query: FileQuery;
  /** Whether the filter can be read. Otherwise nothing is exported. */
  readonly isReadable: boolean;
  /** Defaults to "Export CSV". */
  readonly label?: string;
  /** Defaults to the name of the path and today. */
  readonly fileName?: string;
}

/**
 * A button that stores a list as a file.
 *
 * The page loads the whole file first. A link would show a refusal as a page of JSON, and would
 * store a part of the list if the connection breaks.
 */
export function ExportButton({ path, query, isReadable, label, fileName }: ExportButtonProps) {
  const texts = useTexts(UI_TEXTS);
  const { timeZone } = useSession().policy;
  const loading = useFile(path, (file) => {
    const day = dayOf(serverTime(), timeZone);
    saveFile(file, fileName ?? path.slice(path.lastIndexOf("/") + 1).replace(".csv", `-${day}.csv`));
  });
  return (
    <div className="export">
      <Button
        className="button"
        onPress={() => loading.mutate(query)}
        isPending={loading.isPending}
        isDisabled={!isReadable}
      >
        {loading.isPending ? texts.exporting : (label ?? texts.exportCsv)}
      </Button>
      {loading.error !== null && <Failure error={loading.error} />}
    </div>
  );
}
