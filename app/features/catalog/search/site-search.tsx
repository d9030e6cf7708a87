import { Form } from 'react-router'
import { catalogueAddress } from './catalog-query'
import { SearchBox } from './search-box'

/** The search field of every page's top bar: a plain form that leads to the catalogue. */
export function SiteSearch() {
  return (
    <Form action={catalogueAddress} autoComplete="off" className="w-full">
      <SearchBox id="site-q" label="Search Learnify" placeholder="What do you want to learn?" small />
    </Form>
  )
}
