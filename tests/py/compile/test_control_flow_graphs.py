"""`numbra.core.controlflow.CFGraph` against paths that are walked one by one."""

import io
import itertools
import random

import numbra as nb
import pytest
from numbra.core.bytecode import ByteCode, FunctionIdentity
from numbra.core.controlflow import CFGraph, ControlFlowAnalysis, Loop


def graph(edges, entry=0):
    made = CFGraph()
    for node in edges:
        made.add_node(node)
    for node, ends in edges.items():
        for end in ends:
            made.add_edge(node, end)
    made.set_entry_point(entry)
    made.process()
    return made


def reached(edges, start, without=None):
    seen, todo = set(), [start] if start != without else []
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo.extend(end for end in edges[node] if end != without)
    return seen


def random_graph(draw):
    n = draw.randrange(1, 9)
    return {node: {draw.randrange(n) for _ in range(draw.randrange(3))} for node in range(n)}


def test_random_graphs():
    draw = random.Random(3)
    for _ in range(400):
        edges = random_graph(draw)
        made, live = graph(edges), reached(edges, 0)
        assert made.nodes() == live and made.dead_nodes() == edges.keys() - live
        assert made.exit_points() == {node for node in live if not edges[node]}
        doms = {node: {at for at in live if at == node or node not in reached(edges, 0, at)} for node in live}
        assert made.dominators() == doms
        for node, above in made.immediate_dominators().items():
            assert doms[node] - {node} == (doms[above] if node else set())
        frontier = {
            node: {
                end for at in live for end in edges[at] if node in doms[at] and (node not in doms[end] or node == end)
            }
            for node in live
        }
        assert made.dominance_frontier() == frontier
        loops = {end for node in live for end in edges[node] if end in doms[node]}
        assert made.loops().keys() == loops
        for header, loop in made.loops().items():
            assert loop.header == header and header in loop.body
            assert all(header in doms[node] for node in loop.body)
            assert all(loop in made.in_loops(node) for node in loop.body)
        order = made.topo_order()
        assert set(order) == live and order[0] == 0 and list(made.topo_sort(live)) == order
        if made.exit_points() and all(reached(edges, node) & made.exit_points() for node in live):
            ways = {node: {end for end in live if is_passed(edges, node, end, made.exit_points())} for node in live}
            assert made.post_dominators() == ways and made.backbone() == ways[0]


def is_passed(edges, start, node, exits):
    return start == node or not reached(edges, start, node) & (exits - {node})


def test_endless_loops_and_data():
    made = graph({0: [3], 3: [16, 9], 9: [3], 16: [3]})
    assert made.post_dominators() == {0: {0, 3}, 3: {3}, 9: {9}, 16: {16}}
    assert made.loops() == {3: Loop(entries={0}, exits=set(), header=3, body={3, 9, 16})}
    made.add_node("end")
    made.add_edge(16, "end", "data")
    made.process()
    assert list(made.successors(16)) == [(3, None), ("end", "data")]
    assert list(made.predecessors("end")) == [(16, "data")]
    assert made.exit_points() == {"end"} and made.descendents(3) == {16, 9, "end"}
    assert made == made and made != graph({0: []})
    text = io.StringIO()
    made.dump(text)
    assert "loops" in text.getvalue()
    with pytest.raises(ValueError):
        made.add_edge(0, "nowhere")
    with pytest.raises(RuntimeError):
        CFGraph().process()
    deep = graph({node: [node + 1] if node < 5000 else [] for node in range(5001)})
    assert len(list(itertools.islice(deep.topo_order(), 6000))) == 5001


def test_blocks_of_functions():
    def function(a, n):
        for i in range(n):
            if a[i] < 0:
                raise ValueError(i)
            while n:
                n -= 1
        return n

    analysis = ControlFlowAnalysis(ByteCode(FunctionIdentity.from_function(nb.njit(function))))
    analysis.run()
    offsets = [offset for block in analysis.iterblocks() for offset in block.body]
    assert offsets == [inst.offset for inst in analysis.bytecode] == sorted(offsets)
    assert len(analysis.graph.loops()) == 2 and 0 in analysis.backbone
    assert "RETURN_VALUE" in analysis.bytecode.dump() or "RETURN_CONST" in analysis.bytecode.dump()
    for block in analysis.iterliveblocks():
        last = analysis.bytecode[block.body[-1]]
        assert block.terminating == (not block.outgoing_jumps), last
        assert {other.offset for other, _ in analysis.incoming_blocks(block)} == {
            node for node, _ in analysis.graph.predecessors(block.offset)
        }
    first, second = (FunctionIdentity.from_function(function) for _ in range(2))
    assert first.unique_id != second.unique_id and first.func_qualname == function.__qualname__
    assert first.arg_names == ["a", "n"] and not first.is_generator and first.derive().func is function
    with pytest.raises(TypeError):
        FunctionIdentity.from_function(3)
