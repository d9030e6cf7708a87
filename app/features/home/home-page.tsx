import type { ReactNode } from 'react'
import { CallToAction } from './call-to-action'
import { CategoryCards } from './category-cards'
import { Hero } from './hero'
import { HomeFeatures } from './home-features'
import type { Home } from './home-queries.server'
import { HomeStats } from './home-stats'
import { TestimonialSlider } from './testimonial-slider'

/** The home page, in the order of the specification. @param popular stands between two of its parts. */
export function HomePage({ home, popular }: { home: Home; popular?: ReactNode }) {
  return (
    <>
      <Hero />
      <HomeStats />
      <HomeFeatures />
      {home.categories.length > 0 && <CategoryCards categories={home.categories} />}
      {popular}
      {home.testimonials.length > 0 && <TestimonialSlider testimonials={home.testimonials} />}
      <CallToAction />
    </>
  )
}
