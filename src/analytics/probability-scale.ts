export type Scale = 'fraction' | 'percent';

/** Keeps, per credential, that the service writes percent. */
export interface ScaleMemory {
  isPercent(): boolean;
  rememberPercent(): void;
}

export interface ProbabilityScale {
  /** The scale to read these figures in. Once percent has been seen it stays so. */
  scaleOf(figures: readonly number[]): Scale;
}

/** 1.0001 is a rounding of 1; from here on a figure must be a percentage. */
export const roundedOne = 1.5;

export function createMemoryScaleMemory(): ScaleMemory {
  let percent = false;
  return {
    isPercent: () => percent,
    rememberPercent() {
      percent = true;
    },
  };
}

/** `changed` is told when percent is first seen: what was read before was read wrongly. */
export function createProbabilityScale(options: {
  setting: 'auto' | Scale;
  memory: ScaleMemory;
  changed: () => void;
}): ProbabilityScale {
  const { setting, memory, changed } = options;
  return {
    scaleOf(figures) {
      if (setting !== 'auto') return setting;
      if (memory.isPercent()) return 'percent';
      if (!figures.some((figure) => figure > roundedOne && figure <= 100)) return 'fraction';
      memory.rememberPercent();
      changed();
      return 'percent';
    },
  };
}

/** 0 to 1; undefined for what is out of range. */
export function toFraction(figure: number, scale: Scale): number | undefined {
  if (!(figure >= 0 && figure <= (scale === 'percent' ? 100 : roundedOne))) return undefined;
  return scale === 'percent' ? figure / 100 : Math.min(1, figure);
}
