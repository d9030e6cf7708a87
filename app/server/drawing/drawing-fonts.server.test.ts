import { expect, it } from 'vitest'
import { DrawingFonts } from './drawing-fonts.server'

const splitIntoRuns = async (text: string) =>
  (await DrawingFonts.load(400, [text])).splitIntoRuns(text)?.map((run) => run.text)

it.each([
  ['Course प्रिया शर्मा', ['Course ', 'प्रिया शर्मा']],
  ['प्रिया Smith', ['प्रिया ', 'Smith']],
  ['Course محمد علي', ['Course ', 'محمد علي']],
  ['محمد علي Ali', ['محمد علي', ' Ali']],
  ['Ada Lovelace', ['Ada Lovelace']],
])(
  '%s is split into runs of one script, and no right-to-left run ends with a space',
  async (text, runs) => {
    expect(await splitIntoRuns(text)).toEqual(runs)
  },
)
