import type { FacetOption } from '../search/catalog-result'
import { type FacetGroup, facetName } from '../search/facets'
import { courseCount } from './catalog-messages'

/** Options of a select; the counts are shown where a browser can style them, so that each option's text is its name. */
export function CountedOptions({ group, options }: { group: FacetGroup; options: FacetOption[] }) {
  return options.map(({ value, count, orMore }) => (
    <option key={value} value={value} data-count={courseCount(count, { orMore })}>
      {facetName(group, value)}
    </option>
  ))
}
