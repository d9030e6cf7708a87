/** Draws the covers of courses. */
import { drawFinance, drawProjectManagement, drawStrategy } from './covers/business.ts'
import { drawDesignSystems, drawInterfaceDesign, drawTypography } from './covers/design.ts'
import { drawCoverFrame, glass, hairline, polar, range } from './covers/frame.ts'
import { drawContentSearch, drawDigitalMarketing } from './covers/marketing.ts'
import { drawPhotography } from './covers/photography.ts'
import {
  drawAlgorithms,
  drawMachineLearning,
  drawPython,
  drawWebDevelopment,
} from './covers/technology.ts'
import { coursePalette, type Palette } from './palette.ts'
import { circle, group, type Point, random } from './svg.ts'

/** The subject of each course that has a cover of its own. */
const subjects: Record<string, (colors: Palette) => string> = {
  'complete-web-development': drawWebDevelopment,
  'python-from-zero': drawPython,
  'data-structures-and-algorithms': drawAlgorithms,
  'machine-learning-foundations': drawMachineLearning,
  'interface-design-fundamentals': drawInterfaceDesign,
  'typography-for-screens': drawTypography,
  'design-systems-that-last': drawDesignSystems,
  'project-management-in-practice': drawProjectManagement,
  'business-strategy-essentials': drawStrategy,
  'financial-modelling': drawFinance,
  'digital-marketing-essentials': drawDigitalMarketing,
  'content-and-search': drawContentSearch,
  'photography-light-and-composition': drawPhotography,
}

/** Returns the cover of a course as SVG text. */
export function drawCover(slug: string, category?: string): string {
  const colors = coursePalette(slug, category)
  const drawSubject = subjects[slug]
  return drawSubject ? drawSubject(colors) : drawOrbits(colors, slug)
}

/** Draws glass discs on orbits. The name of the course decides how they are arranged. */
function drawOrbits(colors: Palette, slug: string): string {
  const nextRandom = random(slug)
  const [cx, cy]: Point = [270 + nextRandom() * 100, 160 + nextRandom() * 40]
  const radii = range(5).map((ring) => 56 + ring * 46)
  const discs = radii.map((radius) =>
    circle(...polar(cx, cy, radius, nextRandom()), 12 + nextRandom() * 24, glass),
  )
  const spark = polar(cx, cy, radii[1] ?? 0, nextRandom())

  return drawCoverFrame(
    colors,
    [0.2 + nextRandom() * 0.6, 0.14],
    [
      ...radii.map((radius) => circle(cx, cy, radius, hairline)),
      circle(cx, cy, 34, glass),
      ...discs,
      group({ fill: colors.spark }, [
        circle(...spark, 8),
        circle(...spark, 17, { 'fill-opacity': 0.3 }),
      ]),
    ],
  )
}
