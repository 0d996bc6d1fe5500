export interface Panel {
  title: string;
  description: string;
  /** Grafana's name for it, such as `s` or `bytes`. */
  unit: string;
  queries: readonly Query[];
  /** One figure instead of a curve. */
  isStat?: boolean;
  isStacked?: boolean;
  /** Red from here on, in `unit`. */
  redFrom?: number;
}

export interface Query {
  expr: string;
  /** The text of the legend, with Grafana's `{{label}}`. */
  legend: string;
}

export interface Row {
  title: string;
  panels: readonly Panel[];
}
