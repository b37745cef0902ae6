// Offers the names of time zones in the profile: those that the browser knows.

import { byId } from "./page.js";

const names = Intl.supportedValuesOf("timeZone");
byId("time-zones").append(...names.map((name) => new Option("", name)));
