/** What stands beside a vessel in documents: a voyage, a container, a B/L, a measure. */
export const isCargo = (run: string): boolean =>
  [voyage, container, containers, billOfLading, measure].some((shape) => shape.test(run));

/** `V. 1176-044W`, `448E`, `FY448W`, `0FLDTW1MA`. */
export const voyage =
  /^(?:(?:v|voy|voyage)[. :]*(?=\w*\d)[\w-]{2,12}|\d{2,4}[nsew]|\d{2,4}-\d{2,4}[nsew]|[a-z]{1,3}\d{2,4}[nsew]|0[a-z]{3,5}\w{2,4})$/i;
const billOfLading = /^(?:(?:b\/?l|bol|mbl|hbl)[ :.#]*(?:no\.?[ :]*)?)?[a-z]{4}[a-z\d]{0,4}\d{6,12}$/i;
/** `GRT 141716`, `SEAL 0048812`, `18.240,00 KGS`. */
const measure = /^(?:(?:grt|nrt|dwt|loa|beam|seal|teu) [\d.,]+|[\d.,]+ ?(?:kgs?|mts?|tons?|teu|cbm))$/i;

/** `40HC`, `12x40HC`. */
const containers = /^(?:\d{1,3} ?x ?)?(?:20|40|45) ?(?:hc|hq|dc|dv|gp|rf|st|ft|'|ot)$/i;
const container = /^[a-z]{3}[ujz] ?\d{6}-?\d$/i;
