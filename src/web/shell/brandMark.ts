/** A balance that is level, for pictures that are drawn without a page. */
export const MARK = {
  box: '0 0 28 28',
  frame: 'M3 23L14 4l11 19',
  beam: 'M8.5 17.5h11',
  weight: { cx: 14, cy: 17.5, r: 2.4 },
  pen: 2.6,
} as const
