import type { ReactNode } from "react";
import { MOUNT_PATH } from "../api/mount-path.js";

interface DownloadLinkProps {
  /** The path of the file below the mount path. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly children: ReactNode;
}

/** A link that stores a file of the operator API. */
export function DownloadLink({ path, query = {}, children }: DownloadLinkProps) {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const search = new URLSearchParams(given).toString();
  return (
    <a className="button" href={`${MOUNT_PATH}${path}${search === "" ? "" : `?${search}`}`} download>
      {children}
    </a>
  );
}
