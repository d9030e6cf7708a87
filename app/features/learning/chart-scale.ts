/** A round number of minutes at or above `highest`, that three steps divide into whole fives. */
export function niceMinutes(highest: number): number {
  const step = [30, 60, 90, 120, 180, 240, 360, 540, 720].find((top) => highest <= top)
  return step ?? Math.ceil(highest / 720) * 720
}
