// Builds the operators' page for hosts that run from the sources of this repository.
import { installPage } from "./install-page.js";

await installPage();
