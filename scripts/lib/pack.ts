import { z } from "zod";
import { runOrThrow, type Workspace } from "@tillkit/repository";

const packed = z.array(
  z.object({ name: z.string(), filename: z.string(), files: z.array(z.object({ path: z.string() })) }),
);

/** A package with the files that the registry receives. */
export interface PackedPackage {
  readonly workspace: Workspace;
  /** The paths in the tarball, relative to the package. */
  readonly files: readonly string[];
}

/** A package as the registry would receive it. */
export interface Tarball extends PackedPackage {
  readonly file: string;
}

/** Packs the packages that `copyPackages` copied into `folder`. The tarballs are there too. */
export async function packAll(packages: readonly Workspace[], folder: string): Promise<readonly Tarball[]> {
  const chosen = packages.flatMap(({ name }) => ["--workspace", name]);
  const report = await runOrThrow("npm", ["pack", "--json", ...chosen], folder);
  const tarballs = packed.parse(JSON.parse(report));
  return packages.map((workspace) => {
    const tarball = tarballs.find(({ name }) => name === workspace.name);
    if (tarball === undefined) throw new Error(`npm pack created no tarball of ${workspace.name}`);
    return {
      workspace,
      file: `${folder}/${tarball.filename}`,
      files: tarball.files.map(({ path }) => path),
    };
  });
}
