import { numberText } from '~/ui/count-text'
import type { FacetOption } from './search/catalogue-result'

/** Options of a select; the counts are shown where a browser can style them, so that each option's text is its name. */
export function CountedOptions({ options }: { options: FacetOption[] }) {
  return options.map(({ value, name, count }) => (
    <option key={value} value={value} data-count={numberText(count)}>
      {name}
    </option>
  ))
}
