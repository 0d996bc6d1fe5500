import { Component, type ReactNode } from 'react';

interface Props {
  type: string;
  children: ReactNode;
}

/** Replaces a block that fails to render, and keeps the rest of the page. React needs a class for this. */
export class BlockBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return <p className="unsupported">The playground can't show this “{this.props.type}” block</p>;
  }
}
