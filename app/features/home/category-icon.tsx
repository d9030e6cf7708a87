import type { IconNode } from 'lucide-react'
import { createElement } from 'react'

/** The shapes of one 24 by 24 icon, as tag and attributes. */
export type IconShapes = readonly (readonly [IconNode[number][0], Record<string, string>])[]

/** An icon from the shapes that the server sent; decorative. */
export function CategoryIcon({ shapes }: { shapes: IconShapes }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="size-6 stroke-current"
    >
      {shapes.map(([tag, attributes]) => createElement(tag, attributes))}
    </svg>
  )
}
