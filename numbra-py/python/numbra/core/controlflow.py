"""Graphs of control flow: dominators, loops and orders of any graph with an entry.

numbra's own graphs are made in Rust and never come here; this is for programs that use the class by itself.
"""

import sys
from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple, TextIO

from numbra._named import names_of

Node = Hashable


class Loop(NamedTuple):
    """A natural loop, without the paths that leave it for good."""

    #: nodes outside from which it is entered
    entries: set[Node]
    #: nodes outside to which it leads
    exits: set[Node]
    #: the node that every path into it passes
    header: Node
    body: set[Node]


class CFGraph:
    """A graph of blocks: add nodes, then edges, say where it starts, and :meth:`process` it.

    All answers are about the nodes that the entry reaches; the others are :meth:`dead_nodes`.
    """

    def __init__(self) -> None:
        self._successors: dict[Node, dict[Node, Any]] = {}
        self._predecessors: dict[Node, dict[Node, Any]] = {}
        self._dead: set[Node] = set()
        self._entry: Node = None

    def add_node(self, node: Node) -> None:
        """Adds a node."""
        self._successors.setdefault(node, {})
        self._predecessors.setdefault(node, {})

    def add_edge(self, src: Node, dest: Node, data: Any = None) -> None:
        """Adds an edge between two nodes of the graph; ``data`` comes back with it."""
        for node in (src, dest):
            if node not in self._successors:
                raise ValueError(f"{node!r} is no node of the graph")
        self._successors[src][dest] = data
        self._predecessors[dest][src] = data

    def set_entry_point(self, node: Node) -> None:
        """Says where the graph starts."""
        if node not in self._successors:
            raise ValueError(f"{node!r} is no node of the graph")
        self._entry = node

    def process(self) -> None:
        """Takes the nodes out that the entry does not reach. To be called before anything is asked."""
        if self._entry is None:
            raise RuntimeError("no entry point defined!")
        for name, attribute in vars(type(self)).items():
            if isinstance(attribute, cached_property):
                vars(self).pop(name, None)
        live = set(_postorder(self._entry, self._successors))
        self._dead |= self._successors.keys() - live
        for edges in (self._successors, self._predecessors):
            for node in self._dead & edges.keys():
                del edges[node]
            for node in live:
                edges[node] = {end: data for end, data in edges[node].items() if end in live}

    def entry_point(self) -> Node:
        """Where the graph starts."""
        return self._entry

    def nodes(self) -> set[Node]:
        """The nodes that can be reached."""
        return set(self._successors)

    def dead_nodes(self) -> set[Node]:
        """The nodes that :meth:`process` has taken out."""
        return self._dead

    def exit_points(self) -> set[Node]:
        """The nodes without successors."""
        return {node for node, ends in self._successors.items() if not ends}

    def successors(self, src: Node) -> Iterator[tuple[Node, Any]]:
        """``(node, data)`` of each edge from ``src``."""
        yield from self._successors[src].items()

    def predecessors(self, dest: Node) -> Iterator[tuple[Node, Any]]:
        """``(node, data)`` of each edge to ``dest``."""
        yield from self._predecessors[dest].items()

    @cached_property
    def _order(self) -> list[Node]:
        return _postorder(self._entry, self._successors)[::-1]

    @cached_property
    def _ranks(self) -> dict[Node, int]:
        return {node: rank for rank, node in enumerate(self._order)}

    def topo_order(self) -> list[Node]:
        """The nodes, each behind its predecessors but for the ends of loops."""
        return self._order

    def topo_sort(self, nodes: Iterable[Node], reverse: bool = False) -> Iterator[Node]:
        """Some nodes in the order of :meth:`topo_order`, or against it."""
        return iter(sorted(nodes, key=self._ranks.__getitem__, reverse=reverse))

    def descendents(self, node: Node) -> set[Node]:
        """The nodes that ``node`` reaches without the ends of loops, itself not counted."""
        ahead = {
            src: [end for end in ends if self._ranks[end] > self._ranks[src]] for src, ends in self._successors.items()
        }
        return set(_postorder(node, ahead)) - {node}

    @cached_property
    def _immediate(self) -> dict[Node, Node]:
        return _immediate_dominators(self._order, self._predecessors)

    def immediate_dominators(self) -> dict[Node, Node]:
        """The nearest of the other nodes that every path to a node passes; the entry's is itself."""
        return dict(self._immediate)

    def dominators(self) -> dict[Node, set[Node]]:
        """The nodes that every path to a node passes, itself among them."""
        return _chains(self._order, self._immediate)

    def dominator_tree(self) -> dict[Node, set[Node]]:
        """The nodes of which a node is the immediate dominator."""
        tree: dict[Node, set[Node]] = {node: set() for node in self._order}
        for node, above in self._immediate.items():
            if node != above:
                tree[above].add(node)
        return tree

    def dominance_frontier(self) -> dict[Node, set[Node]]:
        """The nodes that a node does not strictly dominate, but a predecessor of which it dominates."""
        frontier: dict[Node, set[Node]] = {node: set() for node in self._order}
        for node in self._order:
            before = self._predecessors[node]
            # A node with one way in is dominated by what stands before it, unless that is the entry's loop.
            if len(before) < 2 and node != self._entry:
                continue
            end = self._immediate[node] if node != self._entry else None
            for runner in before:
                while runner != end:
                    frontier[runner].add(node)
                    runner = self._immediate[runner] if runner != self._entry else None
        return frontier

    def post_dominators(self) -> dict[Node, set[Node]]:
        """The nodes that every path from a node passes, itself among them; an endless loop may end anywhere."""
        leave = object()
        ends = self.exit_points()
        for loop in self.loops().values():
            if not loop.exits:
                ends |= loop.body
        backwards = {node: dict(before) for node, before in self._predecessors.items()}
        backwards[leave] = dict.fromkeys(ends)
        # What ends nowhere all the same is a loop with several ways in.
        lost = self.nodes() - set(_postorder(leave, backwards))
        backwards[leave].update(dict.fromkeys(lost))
        order = _postorder(leave, backwards)[::-1]
        forwards: dict[Node, list[Node]] = {node: list(after) for node, after in self._successors.items()}
        forwards[leave] = []
        for node in backwards[leave]:
            forwards[node].append(leave)
        chains = _chains(order, _immediate_dominators(order, forwards))
        del chains[leave]
        return {node: chain - {leave} for node, chain in chains.items()}

    def backbone(self) -> set[Node]:
        """The nodes that every path from the entry passes."""
        return self.post_dominators()[self._entry]

    @cached_property
    def _loops(self) -> dict[Node, Loop]:
        doms = self.dominators()
        bodies: dict[Node, set[Node]] = {}
        for node in self._order:
            for header in self._successors[node]:
                if header in doms[node]:
                    body = bodies.setdefault(header, {header})
                    todo = [node]
                    while todo:
                        inside = todo.pop()
                        if inside not in body:
                            body.add(inside)
                            todo.extend(self._predecessors[inside])
        return {
            header: Loop(
                entries=set(self._predecessors[header]) - body,
                exits={end for node in body for end in self._successors[node]} - body,
                header=header,
                body=body,
            )
            for header, body in bodies.items()
        }

    def loops(self) -> dict[Node, Loop]:
        """The loops, by header."""
        return self._loops

    def in_loops(self, node: Node) -> list[Loop]:
        """The loops around a node, from the innermost."""
        return sorted((loop for loop in self._loops.values() if node in loop.body), key=lambda loop: len(loop.body))

    def dump(self, file: TextIO | None = None) -> None:
        """Prints the edges, dominators and loops."""
        file = file or sys.stdout
        for title, facts in (
            ("edges", {node: list(ends) for node, ends in self._successors.items()}),
            ("immediate dominators", self.immediate_dominators()),
            ("loops", self.loops()),
        ):
            print(f"{title}:", file=file)
            for node in self._order:
                if node in facts:
                    print(f"  {node}: {facts[node]}", file=file)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CFGraph):
            return NotImplemented
        return self._entry == other._entry and self._successors == other._successors

    __hash__ = object.__hash__


class CFBlock:
    """A run of instructions that only its first one enters."""

    def __init__(self, offset: int):
        self.offset = offset
        #: offsets of its instructions
        self.body: list[int] = []
        #: offsets of the blocks that may follow, each with how many values the edge takes from the stack: not known, 0
        self.outgoing_jumps: dict[int, int] = {}
        self.incoming_jumps: dict[CFBlock, int] = {}
        self.terminating = False

    def __repr__(self) -> str:
        return f"block(offset:{self.offset}, outgoing: {sorted(self.outgoing_jumps)})"


class ControlFlowAnalysis:
    """The blocks of a function's :class:`numbra.core.bytecode.ByteCode`, without what only exceptions enter."""

    def __init__(self, bytecode: Any):
        self.bytecode = bytecode
        self.blocks: dict[int, CFBlock] = {}
        self.graph = CFGraph()
        self.backbone: set[Node] = set()

    @property
    def blockseq(self) -> list[int]:
        """The offsets of the blocks."""
        return list(self.blocks)

    def run(self) -> None:
        """Finds the blocks."""
        leaders = set(self.bytecode.labels)
        leaders.update(inst.next for inst in self.bytecode if inst.is_terminator)
        block = None
        for inst in self.bytecode:
            if block is None or inst.offset in leaders:
                if block is not None and not block.outgoing_jumps and not block.terminating:
                    block.outgoing_jumps[inst.offset] = 0
                block = self.blocks[inst.offset] = CFBlock(inst.offset)
            block.body.append(inst.offset)
            if inst.is_jump:
                block.outgoing_jumps[inst.get_jump_target()] = 0
            if inst.is_terminator and inst.falls_through:
                block.outgoing_jumps[inst.next] = 0
            block.terminating |= inst.is_terminator and not inst.is_jump
        for offset in self.blocks:
            self.graph.add_node(offset)
        for offset, block in self.blocks.items():
            for end in block.outgoing_jumps:
                self.graph.add_edge(offset, end)
                self.blocks[end].incoming_jumps[block] = 0
        self.graph.set_entry_point(min(self.blocks))
        self.graph.process()
        # Blocks in loops are not passed once.
        inside = {node for loop in self.graph.loops().values() for node in loop.body}
        self.backbone = self.graph.backbone() - inside

    def iterblocks(self) -> Iterator[CFBlock]:
        """All blocks, by offset."""
        yield from self.blocks.values()

    def iterliveblocks(self) -> Iterator[CFBlock]:
        """Those that can be reached."""
        live = self.graph.nodes()
        yield from (block for block in self.blocks.values() if block.offset in live)

    def incoming_blocks(self, block: CFBlock) -> list[tuple[CFBlock, int]]:
        """The blocks before one that can be reached."""
        live = self.graph.nodes()
        return [(other, pops) for other, pops in block.incoming_jumps.items() if other.offset in live]


def _postorder(start: Node, edges: dict) -> list[Node]:
    """The nodes reached from one, each behind those that it is the first to reach."""
    order: list[Node] = []
    seen = {start}
    path = [(start, iter(edges[start]))]
    while path:
        node, ends = path[-1]
        for end in ends:
            if end not in seen:
                seen.add(end)
                path.append((end, iter(edges[end])))
                break
        else:
            order.append(node)
            path.pop()
    return order


def _immediate_dominators(order: list[Node], before: dict) -> dict[Node, Node]:
    # Cooper, Harvey and Kennedy: A Simple, Fast Dominance Algorithm (2001)
    rank = {node: at for at, node in enumerate(order)}
    above = {order[0]: order[0]}
    changed = True
    while changed:
        changed = False
        for node in order[1:]:
            common = None
            for other in before[node]:
                if other not in above:
                    continue
                if common is None:
                    common = other
                while common != other:
                    if rank[common] > rank[other]:
                        common = above[common]
                    else:
                        other = above[other]
            if above.get(node, node) != common or node not in above:
                above[node] = common
                changed = True
    return above


def _chains(order: list[Node], above: dict[Node, Node]) -> dict[Node, set[Node]]:
    """Each node with all above it."""
    chains: dict[Node, set[Node]] = {order[0]: {order[0]}}
    for node in order[1:]:
        chains[node] = chains[above[node]] | {node}
    return chains


__getattr__ = names_of(__name__)
